import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as samples from '@tillbridge/panel-kit/api-reference/model/code-samples.js';
import type * as documents from '@tillbridge/panel-kit/api-reference/model/document.js';
import type * as examples from '@tillbridge/panel-kit/api-reference/model/example.js';
import { type ApiExample, withExamples } from '@tillbridge/platform/api-docs/with-examples.js';

const run = promisify(execFile);

type Language = samples.Language;

/** How the page makes samples. A test hands it over: the kit is sources for a bundler, which Node.js cannot load. */
type Kit = Pick<typeof samples, 'codeSample'> &
  Pick<typeof documents, 'groupsOf' | 'rightsOf'> &
  Pick<typeof examples, 'requestOf'>;

/** How a sample is run: the program, the name of its file, and whether the answer's status stands before its body. */
const PROGRAMS = {
  curl: { command: 'sh', needs: 'curl', file: 'sample.sh', printsStatus: false },
  node: { command: process.execPath, needs: process.execPath, file: 'sample.mjs', printsStatus: true },
  python: { command: 'python3', needs: 'python3', file: 'sample.py', printsStatus: true },
  php: { command: 'php', needs: 'php', file: 'sample.php', printsStatus: false },
} as const satisfies Readonly<Record<Language, object>>;

/** How long a sample may take, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Every language, and why its samples cannot be run here; empty where they can. */
export function languages(): Promise<readonly (readonly [Language, reason: string])[]> {
  return Promise.all(
    (Object.keys(PROGRAMS) as Language[]).map(async (language) => {
      const { needs } = PROGRAMS[language];
      const reason = await run(needs, ['--version']).then(
        () => '',
        () => ` (skipped: there is no ${needs} on this machine)`,
      );
      return [language, reason] as const;
    }),
  );
}

/** The program that the page shows for an example. @param name of the operation, such as `GET /v1/status` */
export function sampleOf(
  { codeSample, groupsOf, rightsOf, requestOf }: Kit,
  language: Language,
  api: { readonly url: string; readonly document: object },
  name: string,
  example: ApiExample,
): string {
  const document = withExamples(api.document, { [name]: example }) as documents.ApiDocument;
  const operation = groupsOf(document)
    .flatMap(({ operations }) => operations)
    .find(({ method, path }) => `${method} ${path}` === name);
  if (!operation) throw new Error(`${name} is not in the document`);
  return codeSample(language, api.url, requestOf(operation, rightsOf(document, operation) !== undefined));
}

/** Runs a sample; resolves with the answer that it printed. @throws Error with what it wrote where it failed */
export async function runSample(language: Language, code: string, token: string): Promise<unknown> {
  const { command, file, printsStatus } = PROGRAMS[language];
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-sample-'));
  try {
    writeFileSync(join(folder, file), language === 'curl' ? code.replace(/^curl /, 'curl -sS ') : code);
    const env = { ...process.env, TOKEN: token };
    const { stdout } = await run(command, [join(folder, file)], { env, timeout: TIMEOUT_MS });
    if (printsStatus && !stdout.startsWith('200 ')) throw new Error(`the sample printed ${stdout}`);
    return JSON.parse(printsStatus ? stdout.slice('200 '.length) : stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
