import { startEngine } from '../src/engine/engine.ts'
import { createDatabase, Database } from '../src/store/database.ts'
import { migrate, readMigrations } from '../src/store/migrations.ts'
import { findKnown } from '../src/store/calls/known.ts'
import { sql } from '../src/store/sql.ts'
const e=await startEngine({directory:'/tmp/bare'})
const t={url:e.url,username:e.username,password:e.password,database:'heddle',holdMs:1000}
await createDatabase(t); const db=new Database(t); await migrate(db,await readMigrations())
const o={name:'x',kind:'write' as const}
console.log(await db.rows(sql`select count() c, uniqExact(id) u, (select count() from system.parts where table='call_ids' and active) parts, (select count() from system.parts where table='calls' and active) cparts from call_ids`,o))
const ids=(await db.rows<{id:string}>(sql`select distinct id from call_ids order by id limit 10000 offset 10000`,o)).map(r=>r.id)
const keys=ids.map(id=>({project_id:'acme/bench',id}))
const tm=async(n:string,f:()=>Promise<unknown>)=>{await f();const c=process.cpuUsage();const s=performance.now();for(let i=0;i<8;i++)await f();const u=process.cpuUsage(c);console.log(n,((performance.now()-s)/8).toFixed(0),'ms; node cpu',((u.user+u.system)/8000).toFixed(0),'ms')}
await tm('findKnown IN',()=>findKnown(db,keys,2))
await tm('IN only ids',()=>db.rows(sql`select id, groupUniqArray(version) v from call_ids where project_id='acme/bench' and id in ${ids} group by id having length(v)>=2`,o))
await tm('range',()=>db.rows(sql`select id, groupUniqArray(version) v from call_ids where project_id='acme/bench' and id >= ${ids[0]!} and id <= ${ids.at(-1)!} group by id having length(v)>=2`,o))
await tm('range minmax',()=>db.rows(sql`select id from call_ids where project_id='acme/bench' and id >= ${ids[0]!} and id <= ${ids.at(-1)!} group by id having min(version)<>max(version) or min(started_at)<>max(started_at) or max(is_part)=1`,o))
await tm('select1',()=>db.rows(sql`select 1`,o))
await db.close();await e.stop()
