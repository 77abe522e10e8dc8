import { RawJson } from '../contract/raw-json.ts'
import { formatRef } from '../contract/objects/ref.ts'
import { contentId } from '../core/objects/content-id.ts'
import { contentDigest, tableDigest, valueDigest } from '../core/objects/digest.ts'
import { opValue, SOURCE_FILE } from '../core/objects/op-value.ts'
import { LARGE_MODEL, SMALL_MODEL } from './model-calls.ts'
import { QUESTIONS } from './questions.ts'
import { opSource } from './sources.ts'
import type { DemoNames } from './steps.ts'

/** The objects that the demo publishes, and the refs that its calls use. */
export interface Catalog extends DemoNames {
  readonly objects: readonly PublishedObject[]
  /** Source files of the ops. */
  readonly files: ReadonlySet<string>
  /** Rows of the dataset. */
  readonly rows: readonly RawJson[]
  readonly rowRef: (n: number) => string
  readonly evaluation: string
  readonly helpfulness: string
  /** The two versions of the assistant. */
  readonly assistants: readonly [Assistant, Assistant]
}

export interface PublishedObject {
  readonly object_id: string
  readonly val: RawJson
}

export interface Assistant {
  readonly ref: string
  readonly model: string
  readonly instructions: string
}

export const HELPFULNESS = 'Helpfulness'
export const MENTIONS = 'mentions_expected'

const DATASET = 'shop-questions'

const FIRST_INSTRUCTIONS = 'You answer customers of a shop for looms and yarn. Be kind and brief.'
export const INSTRUCTIONS = `${FIRST_INSTRUCTIONS} Name numbers and dates if you know them, and say so if you do not know.`

export function makeCatalog(project_id: string): Catalog {
  const objects: PublishedObject[] = []
  const files = new Set<string>()
  const ops = new Map<string, string>()

  const publishValue = (kind: 'op' | 'object', name: string, val: RawJson): string => {
    objects.push({ object_id: name, val })
    return formatRef({ kind, project_id, name, digest: valueDigest(val), path: [] })
  }
  const opRef = (name: string): string => {
    const source = opSource(name)
    files.add(source)
    const ref = ops.get(name) ?? publishValue('op', name, opValue({ [SOURCE_FILE]: contentDigest(source) }))
    ops.set(name, ref)
    return ref
  }
  const publish = (name: string, classes: readonly string[], fields: object): string => {
    const [class_name, ...bases] = [...classes, 'Object', 'BaseModel']
    const head = { _type: class_name, _class_name: class_name, _bases: bases, name, description: null }
    return publishValue('object', name, RawJson.fromValue({ ...head, ...fields }))
  }

  const rows = QUESTIONS.map(({ question, expected, topic }) =>
    RawJson.fromValue({ question, expected, topic }),
  )
  const table = tableDigest(rows.map(valueDigest))
  const dataset = publish(DATASET, ['Dataset'], {
    rows: formatRef({ kind: 'table', project_id, id: table, path: [] }),
  })
  const assistant = (model: string, instructions: string): Assistant => {
    const messages = [{ role: 'system', content: instructions }]
    const prompt = publish('support-prompt', ['MessagesPrompt', 'Prompt'], { messages })
    const predict = opRef('ShopAssistant.predict')
    const fields = { model_name: model, temperature: 0.2, prompt, predict }
    return { model, instructions, ref: publish('ShopAssistant', ['ShopAssistant', 'Model'], fields) }
  }
  const assistants = [
    assistant(SMALL_MODEL, FIRST_INSTRUCTIONS),
    assistant(LARGE_MODEL, INSTRUCTIONS),
  ] as const
  const helpfulness = publish(HELPFULNESS, [HELPFULNESS, 'Scorer'], {
    column_map: null,
    model_name: SMALL_MODEL,
    score: opRef(`${HELPFULNESS}.score`),
    summarize: opRef('Scorer.summarize'),
  })
  const evaluation = publish('shop-evaluation', ['Evaluation'], {
    dataset,
    scorers: [opRef(MENTIONS), helpfulness],
    trials: 1,
    evaluation_name: null,
    metadata: null,
    preprocess_model_input: null,
    evaluate: opRef('Evaluation.evaluate'),
    predict_and_score: opRef('Evaluation.predict_and_score'),
    summarize: opRef('Evaluation.summarize'),
  })
  return {
    project_id,
    opRef,
    demoId: (...parts) => contentId(['demo', project_id, ...parts]),
    objects,
    files,
    rows,
    rowRef: (n) => `${dataset}/attr/rows/id/${valueDigest(rows[n] ?? RawJson.fromValue(null))}`,
    evaluation,
    helpfulness,
    assistants,
  }
}
