import { arch, platform, release, totalmem, uptime } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { LOG_STREAMS } from '@tillbridge/platform/config/program-settings.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { maskValue } from '@tillbridge/wire/mask/mask.js';
import type { AgentConfig } from '../config/config.js';
import { readSecretFiles } from '../home/home-files.js';
import { VERSION } from '../home/version.js';
import {
  type BundlePart,
  type BundleSecret,
  bundleProblems,
  bundleText,
  logPart,
} from '../support/support-bundle.js';
import { runDoctor } from './doctor-command.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';
import { verifyHome } from './verify-command.js';

/** Options of `support-bundle` as commander gives them. */
export interface SupportBundleOptions {
  readonly output?: string;
}

/** Most places that are named. */
const MAX_NAMED = 20;

/**
 * Writes versions, configuration, doctor, verify and masked logs into one file, unless card data or a secret is found in it.
 * @throws CommandError 1 naming the places; 2 where the file is there
 */
export async function writeSupportBundle(
  config: AgentConfig,
  { output: file }: SupportBundleOptions,
  { env, output }: { readonly env: NodeJS.ProcessEnv; readonly output: Output },
): Promise<number> {
  const path = resolve(file ?? `tillbridge-support-${stamp(systemClock.nowMs())}.txt`);
  const parts = [
    { name: 'versions', text: versions() },
    { name: 'configuration', text: JSON.stringify(maskValue({ ...config, capks: undefined }), null, 2) },
    await partOf('doctor', (output) => runDoctor(config, { json: true }, { env, output })),
    await partOf('verify', (output) => verifyHome(config, { json: true }, env, output)),
    ...logs(config),
  ];
  const problems = bundleProblems(parts, secretsOf(config.home));
  if (problems.length > 0) {
    const more = problems.length > MAX_NAMED ? [`and ${problems.length - MAX_NAMED} more`] : [];
    throw new CommandError(
      EXIT.declined,
      [
        'not written, as it would carry card data or a secret:',
        ...problems.slice(0, MAX_NAMED),
        ...more,
      ].join('\n  '),
    );
  }
  try {
    createFile(path, bundleText(parts));
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      `${path} cannot be written (${systemCode(error)}): give another --output`,
    );
  }
  output.note('it has references and amounts of sales and names of your machines, and no card data:');
  output.out(path);
  return EXIT.ok;
}

function versions(): string {
  const lines = {
    agent: VERSION,
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    memory: `${Math.round(totalmem() / 1024 ** 2)} MiB`,
    'system up': `${Math.round(uptime())} s`,
    written: new Date(systemClock.nowMs()).toISOString(),
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n');
}

/** Output and exit code of a command; a command that cannot be run is a part, too. */
async function partOf(name: string, run: (output: Output) => Promise<number>): Promise<BundlePart> {
  const lines: string[] = [];
  const add = (text: string): void => {
    lines.push(text);
  };
  try {
    const exitCode = await run({ out: add, note: add });
    return { name, text: [...lines, `exit code ${exitCode}`].join('\n') };
  } catch (error) {
    return { name, text: [...lines, `failed: ${error instanceof Error ? error.message : error}`].join('\n') };
  }
}

/** The log, that of security events, and of each the file before it; of a log that goes elsewhere a word. */
function logs({ log }: AgentConfig): BundlePart[] {
  return [log, ...(log.security ? [log.security] : [])].flatMap(({ target: path }) => {
    if (LOG_STREAMS.has(path)) return [{ name: 'log', text: `the log goes to ${path}` }];
    return [`${path}.1`, path].flatMap((each) => logPart(basename(each), each) ?? []);
  });
}

/** The secret of an entry of the keys of tills. */
const PASSPHRASE = /"passphrase"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

function secretsOf(home: string): BundleSecret[] {
  return [...readSecretFiles(home)].flatMap(([name, content]) => {
    // Ids and pins are no secrets; keys are bytes or PEM, of which a line is enough.
    if (!/key|token/i.test(name)) return [];
    const bytes = Buffer.from(content);
    const lines = bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => !line.startsWith('-----'));
    const passphrases = [...bytes.toString('utf8').matchAll(PASSPHRASE)].map(([, value = '']) => value);
    const forms = [
      ...lines,
      ...passphrases,
      toHex(bytes),
      toHex(bytes).toLowerCase(),
      bytes.toString('base64'),
    ];
    return [{ name: `content of ${join(home, name)}`, forms: forms.filter(({ length }) => length >= 16) }];
  });
}

function stamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}
