import { startEngine } from '../src/engine/engine.ts'
import { createDatabase, Database } from '../src/store/database.ts'
import { migrate, readMigrations } from '../src/store/migrations.ts'
import { operations } from '../src/contract/operations.ts'
import { shapeOf } from '../src/core/json/shape.ts'
import { readJson } from '../src/core/json/read.ts'
import { RecordReader } from '../src/store/calls/records.ts'
import { writeCallRow } from '../src/store/calls/rows.ts'
import { RowWriter } from '../src/store/row-binary.ts'
import { CALL_COLUMNS } from '../src/store/calls/columns.ts'
import { findKnown } from '../src/store/calls/known.ts'
import { uuidv7 } from '../src/core/ids.ts'
import { systemClock } from '../src/core/time.ts'
const e=await startEngine({directory:'/tmp/bare'})
const t={url:e.url,username:e.username,password:e.password,database:'heddle',holdMs:1000}
await createDatabase(t); const db=new Database(t); await migrate(db,await readMigrations())
const text=(n:number)=>Array.from({length:n},(_,i)=>'word'+(i*7919%997)+((Math.random()*100)|0)).join(' ')
const call=()=>({project_id:'acme/bench',id:uuidv7(systemClock()),trace_id:uuidv7(systemClock()),op_name:'weave:///acme/bench/op/chat:v1',started_at:new Date().toISOString(),ended_at:new Date().toISOString(),attributes:{weave:{client_version:'0.52',source:'python',os:'linux'}},inputs:{model:'gpt-4o',messages:[{role:'system',content:text(55)},{role:'user',content:text(130)}],temperature:0.7},output:{choices:[{message:{role:'assistant',content:text(110)},finish_reason:'stop'}]},summary:{usage:{'gpt-4o':{prompt_tokens:512,completion_tokens:128,total_tokens:640,requests:1}}}})
const shape=shapeOf(operations.calls_complete.request as never)
const batches:{b:Buffer,keys:{project_id:string,id:string}[]}[]=[]
for(let k=0;k<6;k++){const r=new RecordReader({wb_user_id:'u',now:1n,newId:()=>''},1<<20);const w=new RowWriter(40<<20);const keys=[];const doc=operations.calls_complete.request.parse({...(readJson(Buffer.from(JSON.stringify({batch:Array.from({length:10000},call)})),shape) as object),entity:'a',project:'b'});for(const rec of doc.batch){const f=r.complete(rec);keys.push({project_id:f.project_id,id:f.id});writeCallRow(w,f,0n)};batches.push({b:w.take(),keys})}
console.log('bytes/row',batches[0]!.b.length/10000)
let n=0;const end=Date.now()+15000;const ins:number[]=[];const kn:number[]=[]
const check=process.argv[2]==='check'
await Promise.all([0,1].map(async(c)=>{let i=c;while(Date.now()<end){const {b,keys}=batches[i++%6]!;const t0=performance.now();await db.insertBinary('calls',CALL_COLUMNS,[b]);const t1=performance.now();ins.push(t1-t0);if(check){await findKnown(db,keys,2);kn.push(performance.now()-t1)};n+=10000}}))
console.log('calls/s',Math.round(n/15),'insert ms',ins.map(x=>x|0).join(' '),'known',kn.map(x=>x|0).join(' '))
await db.close();await e.stop()
