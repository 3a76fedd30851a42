import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { placeText } from '@tillbridge/platform/schema/fault.js';
import { reader } from '@tillbridge/platform/schema/reader.js';
import { type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';

/**
 * One small value that survives a restart: a card's counters, a terminal's keys or tables.
 * A write has reached the disk when it returns, so that a counter is never used twice.
 */
export interface StateSlot<T> {
  /** The last value written; undefined before the first. @throws StateError when it cannot be read or has another form */
  read(): T | undefined;
  /** Replaces the value, wholly or not at all. @throws StateError, for example on a full disk */
  write(value: T): void;
}

/** The state cannot be kept or read; the message names the file and the reason, never the content. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/**
 * A slot in a JSON file of mode 0600, replaced atomically and synced before `write` returns.
 * @param parse checks what a file holds and gives the value; it throws when the form is another
 */
export function fileSlot<T>(path: string, parse: (json: unknown) => T): StateSlot<T> {
  return {
    read() {
      const text = readText(path);
      if (text === undefined) return undefined;
      try {
        return parse(JSON.parse(text));
      } catch (error) {
        throw new StateError(`${path} cannot be understood (${reason(error)}); move it away to start afresh`);
      }
    },
    write(value) {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        replaceFile(path, JSON.stringify(value));
      } catch (error) {
        throw new StateError(`${path} cannot be written: ${reason(error)}`);
      }
    },
  };
}

/** A function that checks what a file holds, for {@link fileSlot}. @throws TypeError naming the member */
export function stateReader<T>(schema: TSchema): (json: unknown) => T {
  return reader(Type.Unsafe<T>(schema), (path, problem) => {
    return new TypeError(`${placeText(path) || 'the whole'} ${problem}`);
  });
}

/** A slot that lives in memory, for one process's lifetime. */
export function memorySlot<T>(initial?: T): StateSlot<T> {
  let value = initial;
  return {
    read: () => value,
    write(next) {
      value = next;
    },
  };
}

function readText(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString();
  } catch (error) {
    throw new StateError(`${path} cannot be read: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
