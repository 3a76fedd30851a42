import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Positions whose source is remembered: a fault that comes again and again reads its map once. */
const MAX_POSITIONS = 2_000;
/** Frames of one stack that are looked up; V8 gives ten. */
const MAX_FRAMES = 50;

/** A position in a frame of a stack: an address or a path, line, column. */
const POSITION = /((?:file:\/\/)?\/[^\s():]+\.[cm]?js):(\d+):(\d+)/g;

const sources = new Map<string, string>();

/**
 * The same stack with source files in place of bundles, by the source maps that stand next to them. It is made where a stack is written:
 * a program that logs no stack reads no map, and holds none.
 */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  let frames = 0;
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    const known = sources.get(position);
    if (known !== undefined) return known;
    frames += 1;
    if (frames > MAX_FRAMES) return position;
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (!maps.has(path)) maps.set(path, readMap(path));
    const source = sourceOf(maps.get(path), path, Number(line), Number(column)) ?? position;
    if (sources.size >= MAX_POSITIONS) sources.clear();
    sources.set(position, source);
    return source;
  });
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  } catch {
    // No map, as of the runtime's own modules, or not one that can be read: the stack stays as it is.
    return undefined;
  }
}

/** Lines and columns of a stack begin at 1, those of a map at 0. */
function sourceOf(
  map: SourceMap | undefined,
  path: string,
  line: number,
  column: number,
): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || typeof entry.originalSource !== 'string') return undefined;
  const source = resolve(dirname(path), entry.originalSource);
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
