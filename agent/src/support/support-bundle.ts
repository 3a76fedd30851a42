import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { findCardData } from '@tillbridge/wire/mask/card-data-scan.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';

/** One part of a bundle, of a file or of a command. */
export interface BundlePart {
  readonly name: string;
  readonly text: string;
  /** The line of the source that the text begins with. Default: 1. */
  readonly firstLine?: number;
}

/** Most bytes of one log in a bundle: its end. */
export const MAX_LOG_PART_BYTES = 2 * 1024 * 1024;

/** A secret of the home as it might stand in a text. */
export interface BundleSecret {
  readonly name: string;
  readonly forms: readonly string[];
}

/** What keeps a bundle from being written, each with its place; empty: nothing does. */
export function bundleProblems(
  parts: readonly BundlePart[],
  secrets: readonly BundleSecret[],
): readonly string[] {
  return parts.flatMap(({ name, text, firstLine = 1 }) => [
    ...findCardData(text).map(
      ({ line, column, what }) => `${name}, line ${line + firstLine - 1}, column ${column}: ${what}`,
    ),
    ...secrets.flatMap((secret) => {
      const index = Math.max(...secret.forms.map((form) => text.indexOf(form)));
      if (index < 0) return [];
      return [`${name}, line ${text.slice(0, index).split('\n').length + firstLine - 1}: ${secret.name}`];
    }),
  ]);
}

/** The parts as one text. */
export function bundleText(parts: readonly BundlePart[]): string {
  return parts.map(({ name, text }) => `===== ${name} =====\n${text.trimEnd()}\n`).join('\n');
}

/** The end of a log, each line masked once more; undefined where there is none. */
export function logPart(name: string, path: string): BundlePart | undefined {
  const end = readEnd(path);
  if (!end) return undefined;
  const { text, skippedLines } = end;
  const masked = text.split('\n').map(maskText).join('\n');
  return { name, text: masked, firstLine: skippedLines + 1 };
}

/** The last whole lines of a file. @throws the operating system's error for one that is there and cannot be read */
function readEnd(path: string): { readonly text: string; readonly skippedLines: number } | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const content = Buffer.alloc(fstatSync(file).size);
    const size = readSync(file, content, 0, content.length, 0);
    const whole = content.subarray(0, size);
    const cut = size - MAX_LOG_PART_BYTES;
    const begin = cut <= 0 ? 0 : whole.indexOf(0x0a, cut) + 1;
    const skippedLines = whole.subarray(0, begin).filter((byte) => byte === 0x0a).length;
    return { text: whole.subarray(begin).toString('utf8'), skippedLines };
  } finally {
    closeSync(file);
  }
}
