"""Computes with SciPy, statsmodels and scikit-learn what src/core/statistics computes. Reads cases as JSON, prints values."""

import json
import sys
import warnings

import numpy as np
from scipy import optimize, special, stats
from sklearn import metrics
from sklearn.calibration import calibration_curve
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")


def tango(count, only_first, only_second, confidence):
    """The score interval, with the constrained maximum of the likelihood as a root of its derivative."""
    z = stats.norm.ppf((1 + confidence) / 2)

    def score(d):
        roots = np.roots([2 * count, (2 * count - only_second + only_first) * d - only_second - only_first, -only_first * d * (1 - d)])
        q = max(roots.real)
        variance = count * (2 * q + d * (1 - d))
        distance = only_second - only_first - count * d
        return distance / np.sqrt(max(variance, 1e-300))

    estimate = (only_second - only_first) / count
    low = optimize.brentq(lambda d: score(d) - z, -1 + 1e-12, estimate, xtol=1e-14)
    high = optimize.brentq(lambda d: score(d) + z, estimate, 1 - 1e-12, xtol=1e-14)
    return [low, high]


def bca(means, estimate, values, confidence, expanded):
    """BCa as in scipy.stats.bootstrap, for resampled means that are given; its width as Hesterberg expands it."""
    values, means = np.asarray(values), np.asarray(means)
    n = len(values)
    jackknife = (values.sum() - values) / (n - 1)
    u = (n - 1) * (jackknife.mean() - jackknife)
    a = (u**3).sum() / (6 * (u**2).sum() ** 1.5)
    bias = stats.norm.ppf((np.sum(means < estimate) + np.sum(means <= estimate)) / (2 * len(means)))
    tail = (1 + confidence) / 2
    width = stats.t.ppf(tail, n - 1) * np.sqrt(n / (n - 1)) if expanded else stats.norm.ppf(tail)
    level = lambda z: stats.norm.cdf(bias + (bias + z) / (1 - a * (bias + z)))
    return list(np.quantile(means, [level(-width), level(width)]))


def nested_anova(examples):
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm
    import pandas

    rows = [(e, f"{e}.{a}", s) for e, answers in enumerate(examples) for a, scores in enumerate(answers) for s in scores]
    frame = pandas.DataFrame(rows, columns=["example", "answer", "score"])
    within_examples = ols("score ~ C(example)", frame).fit()
    within_answers = ols("score ~ C(answer)", frame).fit()
    table = anova_lm(within_examples, within_answers)
    judge = within_answers.mse_resid
    between = table["ss_diff"].iloc[1] / table["df_diff"].iloc[1]
    sizes = frame.groupby("example")["score"].size()
    crowding = sum((g.groupby("answer")["score"].size() ** 2).sum() / sizes[e] for e, g in frame.groupby("example"))
    per_answer = (len(frame) - crowding) / table["df_diff"].iloc[1]
    return [max(0, (between - judge) / per_answer), judge]


def lang_reiczigel(yes, count, se_yes, se_count, sp_yes, sp_count):
    z = stats.norm.ppf(0.975)
    n, ap = count + z**2, (yes + z**2 / 2) / (count + z**2)
    ns, se = se_count + 2, (se_yes + 1) / (se_count + 2)
    nc, sp = sp_count + 2, (sp_yes + 1) / (sp_count + 2)
    p = (ap + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (p * se * (1 - se) / ns - (1 - p) * sp * (1 - sp) / nc)
    width = z * np.sqrt(ap * (1 - ap) / n + p**2 * se * (1 - se) / ns + (1 - p) ** 2 * sp * (1 - sp) / nc) / (se + sp - 1)
    raw = (yes / count + sp_yes / sp_count - 1) / (se_yes / se_count + sp_yes / sp_count - 1)
    return list(np.clip([raw, p + shift - width, p + shift + width], 0, 1))


def mcnemar_both(first, second):
    table = [[5, first], [second, 5]]
    exact = mcnemar(table, exact=True).pvalue
    total = first + second
    mass = stats.binom.pmf(min(first, second), total, 0.5)
    return [1 - mass / 2 if first == second else exact - mass, exact]


def judge(matrix):
    tp, fp, fn, tn = matrix
    truth = [1] * tp + [0] * fp + [1] * fn + [0] * tn
    said = [1] * tp + [1] * fp + [0] * fn + [0] * tn
    return [
        metrics.accuracy_score(truth, said),
        metrics.recall_score(truth, said),
        metrics.recall_score(truth, said, pos_label=0),
        metrics.cohen_kappa_score(truth, said),
    ]


def kappa(table):
    result = cohens_kappa(np.array(table))
    return [result.kappa, max(-1, result.kappa_low), min(1, result.kappa_upp)]


def calibrated(scores, labels):
    shares, means = calibration_curve(labels, scores, n_bins=10)
    bins = np.clip(np.searchsorted(np.linspace(0, 1, 11)[1:-1], scores), 0, 9)
    sizes = np.bincount(bins, minlength=10)
    sizes = sizes[sizes > 0]
    return [
        metrics.brier_score_loss(labels, scores),
        float(np.sum(np.abs(shares - means) * sizes) / len(scores)),
        metrics.roc_auc_score(labels, scores),
        *means,
        *shares,
    ]


def detectable(n):
    """NormalIndPower.solve_power stops at 1e-8."""
    power = lambda effect: NormalIndPower().power(effect, n, 0.05, ratio=0)
    return optimize.brentq(lambda effect: power(effect) - 0.8, 0, 10, xtol=1e-15)


def bootstrap_bca(values):
    result = stats.bootstrap((values,), np.mean, method="BCa", n_resamples=20000, rng=np.random.default_rng(1))
    return [*result.confidence_interval, result.standard_error]


def permutation(values):
    statistic = lambda x: np.mean(x)
    exact = 2 ** len(values) <= 5000
    result = stats.permutation_test(
        (values,), statistic, permutation_type="samples", n_resamples=np.inf if exact else 20000, rng=np.random.default_rng(1)
    )
    return [result.pvalue]


FUNCTIONS = {
    "logGamma": lambda x: [special.gammaln(x)],
    "normalCdf": lambda x: [stats.norm.cdf(x)],
    "normalQuantile": lambda p: [stats.norm.ppf(p)],
    "incompleteBeta": lambda x, a, b: [special.betainc(a, b, x)],
    "studentQuantile": lambda p, df: [stats.t.ppf(p, df)],
    "coinCdf": lambda k, n: [stats.binom.cdf(k, n, 0.5)],
    "coinProbability": lambda k, n: [stats.binom.pmf(k, n, 0.5)],
    "wilson": lambda yes, n, c: list(proportion_confint(yes, n, alpha=1 - c, method="wilson")),
    "mcnemar": mcnemar_both,
    "tango": tango,
    "holm": lambda p: list(multipletests(p, method="holm")[1]),
    "detectable": lambda sd, n: [detectable(n) * sd],
    "examplesFor": lambda d, sd: [np.ceil(NormalIndPower().solve_power(effect_size=d / sd, alpha=0.05, power=0.8, ratio=0))],
    "passAtLeastOnce": lambda c, n, k: [1 - special.comb(n - c, k) / special.comb(n, k)],
    "passAlways": lambda c, n, k: [special.comb(c, k) / special.comb(n, k)],
    "varianceParts": nested_anova,
    "judge": judge,
    "kappa": kappa,
    "correctedRate": lang_reiczigel,
    "calibration": calibrated,
    "standardDeviation": lambda values: [np.std(values, ddof=1)],
    "bca": bca,
    "bootstrap": bootstrap_bca,
    "permutation": permutation,
}

cases = json.load(sys.stdin)
json.dump([[float(value) for value in FUNCTIONS[name](*arguments)] for name, arguments in cases], sys.stdout)
