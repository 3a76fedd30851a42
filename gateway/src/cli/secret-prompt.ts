import type { ReadStream } from 'node:tty';

/** Typing a secret failed; the message says what to do instead. Exit code 2. */
export class PromptError extends Error {
  override readonly name = 'PromptError';
}

/** What a prompt reads from: a terminal that can be told not to echo. */
export type PromptInput = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/** What a prompt writes to. */
export interface PromptOutput {
  write(text: string): unknown;
}

const ENTER: ReadonlySet<number> = new Set([0x0a, 0x0d]);
const ERASE: ReadonlySet<number> = new Set([0x08, 0x7f]);
const CONTROL_C = 0x03;
const CONTROL_D = 0x04;

/**
 * Asks for a secret without showing what is typed; the caller wipes it.
 * @param maxBytes of the answer
 * @throws PromptError when there is no terminal, the answer is too long or the person breaks off
 */
export function promptSecret(
  input: PromptInput,
  output: PromptOutput,
  question: string,
  maxBytes: number,
): Promise<Buffer> {
  if (!input.isTTY)
    return Promise.reject(
      new PromptError('there is no terminal to type at: name files with --component-file'),
    );
  return new Promise((resolve, reject) => {
    const typed = Buffer.alloc(maxBytes);
    let length = 0;
    const end = (problem?: string): void => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      const answer = Buffer.from(typed.subarray(0, length));
      typed.fill(0);
      if (problem === undefined) resolve(answer);
      else {
        answer.fill(0);
        reject(new PromptError(problem));
      }
    };
    /** Takes one byte; whether the prompt is over. */
    const take = (byte: number): boolean => {
      const isEnter = ENTER.has(byte);
      const isBreak = byte === CONTROL_C || byte === CONTROL_D;
      if (isEnter || isBreak) {
        end(isBreak ? 'broken off: nothing was changed' : undefined);
        return true;
      }
      if (ERASE.has(byte)) {
        length = Math.max(0, length - 1);
        return false;
      }
      if (length === maxBytes) {
        end(`more than ${maxBytes} characters`);
        return true;
      }
      typed[length] = byte;
      length += 1;
      return false;
    };
    const onData = (chunk: Buffer): void => {
      for (const byte of chunk) if (take(byte)) break;
    };
    // Whoever pastes as soon as the question stands there must not see it echoed.
    input.setRawMode(true);
    output.write(question);
    input.on('data', onData);
    input.resume();
  });
}
