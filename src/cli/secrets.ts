import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { createSecretKeys, KeyFile } from '../app/secret-keys.ts'
import { secretsOperations } from '../contract/models/secrets.ts'
import { deleteSecret, rotateSecrets, setSecret } from '../service/models/secrets.ts'
import { listSecrets } from '../store/models/secrets.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { parseProjectId } from './connection.ts'
import { commandSettings, withStorage } from './storage.ts'
import { printTable } from './table.ts'

/** `heddle secrets`: keys of model providers (docs/improve/models.md). Values come from standard input, and are never printed. */
export const setSecretCommand: Command = {
  usage: '<entity/project> <NAME> --origins https://api.openai.com[,…] < FILE',
  summary:
    'Store the key of a model provider, read from standard input, under a name. It is sent to these origins only.',
  options: { ...STORAGE_OPTIONS, origins: { type: 'string' } },
  run: async (args, environment) => {
    const [project = '', name = ''] = args.positionals('entity/project', 'NAME')
    const project_id = parseProjectId(project, 'the project')
    const origins = args.text('origins')?.split(',')
    if (origins === undefined) throw new UsageError('missing option --origins')
    const value = (await text(environment.stdin)).replace(/\r?\n$/, '')
    const [entity = '', project_name = ''] = project_id.split('/')
    const request = secretsOperations.secret_set.request.safeParse({
      entity,
      project: project_name,
      name,
      value,
      origins,
    })
    if (!request.success) throw new UsageError(request.error.issues[0]?.message ?? 'invalid')
    await withStorage(args, environment, (deps) =>
      setSecret(deps, { project_id, name, origins }, value, userInfo().username),
    )
    environment.stderr.write(`set the secret ${name} of ${project_id}\n`)
  },
}

export const listSecretsCommand: Command = {
  usage: '<entity/project> [--json]',
  summary: 'List the secrets of a project by name. Their values cannot be shown.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    const [project = ''] = args.positionals('entity/project')
    const project_id = parseProjectId(project, 'the project')
    const secrets = await withStorage(args, environment, (deps) => listSecrets(deps.db, project_id))
    const rows = secrets.map(({ name, origins, key_id, changed_by, changed_at }) => ({
      name,
      origins: origins.join(','),
      key_id,
      changed_by,
      changed_at,
    }))
    printTable(rows, ['name', 'origins', 'key_id', 'changed_by', 'changed_at'], args, environment)
  },
}

export const deleteSecretCommand: Command = {
  usage: '<entity/project> <NAME>',
  summary: 'Delete a secret of a project.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [project = '', name = ''] = args.positionals('entity/project', 'NAME')
    const project_id = parseProjectId(project, 'the project')
    await withStorage(args, environment, (deps) => deleteSecret(deps, project_id, name, userInfo().username))
    environment.stderr.write(`deleted the secret ${name} of ${project_id}\n`)
  },
}

export const rotateSecretsCommand: Command = {
  usage: '',
  summary:
    'Encrypt all secrets with a new key, while servers run: the first one of HEDDLE_SECRET_KEY, or a new one in the file secret-keys.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    args.positionals()
    const keys = createSecretKeys(commandSettings(args, environment))
    const { key_id, rotated, unreadable } = await withStorage(args, environment, async (deps) => {
      if (keys instanceof KeyFile) keys.addKey()
      const rotation = await rotateSecrets({ ...deps, secretKeys: keys })
      if (keys instanceof KeyFile && rotation.unreadable.length === 0) keys.removeOldest()
      return rotation
    })
    environment.stderr.write(`encrypted ${rotated} secrets with the key ${key_id}\n`)
    if (unreadable.length > 0)
      throw new Error(`these secrets need keys that are not here; set them again: ${unreadable.join(', ')}`)
  },
}
