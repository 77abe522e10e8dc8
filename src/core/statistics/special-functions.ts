/** Distribution functions: normal, Student's t, binomial. Accurate to about 1e-13, tested against SciPy. */

const LANCZOS = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5, 0.0001580887032249125,
  -0.00021026444172410488, 0.00021743961811521265, -0.0001643181065367639, 8.441822398385275e-5,
  -2.6190838401581408e-5, 3.6899182659531625e-6,
]
const MAX_TERMS = 10_000
const TINY = 1e-300

/** The logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  const t = x + 5.2421875
  let sum = LANCZOS[0] ?? 0
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] ?? 0) / (x + i)
  return (x + 0.5) * Math.log(t) - t + Math.log((Math.sqrt(2 * Math.PI) * sum) / x)
}

/** The logarithm of the binomial coefficient. */
function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
}

/** The probability that a standard normal value is at most x. */
export function normalCdf(x: number): number {
  return x < 0 ? upperTail(-x) : 1 - upperTail(x)
}

/** The probability that a standard normal value exceeds x ≥ 0: a series near 0, a continued fraction in the tail. */
function upperTail(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (x < 2.5) {
    let [term, sum] = [x, x]
    for (let n = 1; n < MAX_TERMS && term > sum * 1e-17; n++) {
      term *= (x * x) / (2 * n + 1)
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let n = 200; n > 0; n--) fraction = n / (x + fraction)
  return density / (x + fraction)
}

/** The value that a standard normal one stays below with this probability. */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  // An approximation to three digits, made exact by Newton's method on the logarithm, which converges in the far tail too.
  const t = Math.sqrt(-2 * Math.log(probability))
  let x = -(
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3)
  )
  for (let i = 0; i < 6; i++) {
    const at = normalCdf(x)
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    x -= (Math.log(at / probability) * at) / density
  }
  return x
}

/** The regularized incomplete beta function, by its continued fraction. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b))
  return (front * betaFraction(x, a, b)) / a
}

function betaFraction(x: number, a: number, b: number): number {
  const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < MAX_TERMS; m++) {
    for (const step of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / notZero(1 + step * d)
      c = notZero(1 + step / c)
      result *= d * c
    }
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return result
}

/** The value that Student's t stays below with this probability. */
export function studentQuantile(probability: number, degrees: number): number {
  if (probability < 0.5) return -studentQuantile(1 - probability, degrees)
  let [low, high] = [0, 2]
  while (studentCdf(high, degrees) < probability && high < 1e12) high *= 2
  for (let i = 0; i < 100 && high - low > 1e-15 * high; i++) {
    const middle = (low + high) / 2
    if (studentCdf(middle, degrees) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The probability that Student's t is at most t ≥ 0. */
function studentCdf(t: number, degrees: number): number {
  return 1 - incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2
}

/** The probability of exactly k heads in n throws of a fair coin. */
export function coinProbability(k: number, n: number): number {
  return Math.exp(logChoose(n, k) - n * Math.LN2)
}

/** The probability of at most k heads in n throws of a fair coin. */
export function coinCdf(k: number, n: number): number {
  return k >= n ? 1 : incompleteBeta(0.5, n - k, k + 1)
}
