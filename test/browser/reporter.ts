import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'

/** Prints a line for each journey, the reasons of failures, and finally `browser: N passed, N failed`. */
export default class JourneyReporter implements Reporter {
  private journeys: readonly TestCase[] = []
  private errors = 0

  onBegin(_config: unknown, suite: Suite): void {
    this.journeys = suite.allTests()
  }

  onStdOut(text: string | Buffer): void {
    process.stdout.write(text)
  }

  onStdErr(text: string | Buffer): void {
    process.stderr.write(text)
  }

  onTestEnd({ title, retries }: TestCase, { status, duration, errors, retry }: TestResult): void {
    if (status === 'passed') console.log(`ok    ${title} (${Math.round(duration)} ms)`)
    else print(retry < retries ? 'RETRY' : 'FAIL', title, errors)
  }

  /** An error of no journey, such as of the server's start. */
  onError(error: TestError): void {
    this.errors++
    print('FAIL', 'outside of journeys', [error])
  }

  // Not in onEnd: at a terminal, the report of HTML prints its address after that.
  async onExit(): Promise<void> {
    // Journeys that did not run are skipped ones to Playwright.
    const passed = this.journeys.filter((each) => ['expected', 'flaky'].includes(each.outcome())).length
    console.log(`browser: ${passed} passed, ${this.journeys.length - passed + this.errors} failed`)
  }
}

function print(mark: string, title: string, errors: readonly TestError[]): void {
  const reasons = errors.map(({ message, value, location }) => {
    const place = location === undefined ? '' : ` (${basename(location.file)}:${location.line})`
    return stripVTControlCharacters(`${message ?? value ?? 'no reason'}${place}`)
  })
  console.log(`${mark.padEnd(5)} ${title}\n      ${reasons.join('\n').replaceAll('\n', '\n      ')}`)
}
