import type { ResponseOf } from '../../contract/operations.ts'
import { calibration } from '../../core/statistics/calibration.ts'
import { correctedRate, judgeQuality, labelsFor, type Rate, rate } from '../../core/statistics/judge.ts'
import {
  countJudgedCalls,
  type JudgedRow,
  type LabeledRow,
  listLabeledScores,
  listScorers,
} from '../../store/evaluations/scorer-labels.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handlers for the report card of scorers: their agreement with people. */

type Report = ResponseOf<'scorer_report'>
type Quality = Report['overall']

const MAX_DISAGREEMENTS = 500
/** Half of the width of the interval that `labels_needed` leads to. */
const WANTED_HALF_WIDTH = 0.05

export function scorerReportHandlers({ db }: Deps): Pick<Handlers, 'scorers_checked' | 'scorer_report'> {
  return {
    scorers_checked: async ({ project_id }) => ({ scorers: await listScorers(db, project_id) }),

    scorer_report: async ({ project_id, scorer, path, label, label_path, threshold: given }) => {
      const threshold = given ?? 0.5
      const source = {
        project_id,
        scorer,
        path: pathParts(path),
        label,
        labelPath: pathParts(label_path),
        threshold,
      }
      const [labeled, judged] = await Promise.all([
        listLabeledScores(db, source),
        countJudgedCalls(db, source),
      ])
      const quality = (version: string | null): Quality => {
        const isOf = (each: { readonly version: string }): boolean =>
          version === null || each.version === version
        return qualityOf(version, labeled.filter(isOf), judged.filter(isOf), threshold)
      }
      return {
        overall: quality(null),
        versions: judged.map(({ version }) => quality(version)),
        calibration: viewCalibration(labeled),
        disagreements: labeled
          .filter((row) => row.score >= threshold !== row.label > 0.5)
          .slice(0, MAX_DISAGREEMENTS)
          .map(({ call_id, version, score, label: share }) => ({
            call_id,
            version,
            score,
            label: share > 0.5,
          })),
      }
    },
  }
}

function pathParts(path: string | null | undefined): string[] {
  return path === undefined || path === null || path === '' ? [] : path.split('.')
}

function qualityOf(
  version: string | null,
  labeled: readonly LabeledRow[],
  judged: readonly JudgedRow[],
  threshold: number,
): Quality {
  const count = (isAccepted: boolean, isYes: boolean): number =>
    labeled.filter(({ score, label }) => score >= threshold === isAccepted && label > 0.5 === isYes).length
  const matrix = {
    truePositive: count(true, true),
    falsePositive: count(true, false),
    falseNegative: count(false, true),
    trueNegative: count(false, false),
  }
  const { agreement, sensitivity, specificity, kappa } = judgeQuality(matrix)
  const all = rate(
    judged.reduce((sum, { yes }) => sum + yes, 0),
    judged.reduce((sum, each) => sum + each.judged, 0),
  )
  const corrected = correctedRate(all, sensitivity, specificity)
  return {
    version,
    labeled: labeled.length,
    matrix: {
      true_positive: matrix.truePositive,
      false_positive: matrix.falsePositive,
      false_negative: matrix.falseNegative,
      true_negative: matrix.trueNegative,
    },
    agreement: viewRate(agreement),
    sensitivity: viewRate(sensitivity),
    specificity: viewRate(specificity),
    kappa: kappa === undefined ? null : { value: kappa.value, ...kappa.interval },
    judged: viewRate(all),
    corrected: corrected === undefined ? null : { value: corrected.value, ...corrected.interval },
    labels_needed: labelsFor(WANTED_HALF_WIDTH, agreement),
  }
}

function viewRate({ yes, count, value, interval }: Rate): Quality['agreement'] {
  return { yes, count, value: value ?? null, ...interval }
}

function viewCalibration(labeled: readonly LabeledRow[]): Report['calibration'] {
  if (labeled.every(({ score }) => score === 0 || score === 1)) return null
  const result = calibration(labeled.map(({ score, label }) => ({ score, isYes: label > 0.5 })))
  if (result === undefined) return null
  return {
    bins: result.bins.map(({ from, to, meanScore, accepted }) => ({
      from,
      to,
      mean_score: meanScore,
      accepted: viewRate(accepted),
    })),
    brier: result.brier,
    expected_error: result.expectedError,
    ranking: result.ranking ?? null,
  }
}
