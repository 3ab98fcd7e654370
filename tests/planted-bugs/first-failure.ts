import { existsSync, readFileSync } from 'node:fs';

type Report = {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** The name of the first test that failed, from the test runner's own report. */
export function firstFailure(file: string): string {
  if (!existsSync(file)) return 'it does not start';
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  const [first] = failed;
  if (first !== undefined) return first.fullName;
  const message = testResults.map((result) => result.message).find((text) => text !== '') ?? '';
  return `it does not begin: ${message.split('\n')[0]}`;
}
