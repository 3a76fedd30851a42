import type { ReadStream } from 'node:tty';

/** The secret cannot be read from the terminal; the message holds the remedy. Exit code 2. */
export class PromptError extends Error {
  override readonly name = 'PromptError';
}

/** A terminal whose echo can be switched off. */
export type PromptInput = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/** What a prompt writes to. */
interface PromptOutput {
  write(text: string): unknown;
}

const ENTER: ReadonlySet<number> = new Set([0x0a, 0x0d]);
const ERASE: ReadonlySet<number> = new Set([0x08, 0x7f]);
/** Control C and control D. */
const BREAK: ReadonlySet<number> = new Set([0x03, 0x04]);

/**
 * Prompts for a secret without showing what is typed; the caller wipes it.
 * @param maxBytes of the answer
 * @param instead what to do where there is no terminal
 * @throws PromptError when there is no terminal, the answer is too long or the user breaks off
 */
export function promptSecret(
  input: PromptInput,
  output: PromptOutput,
  question: string,
  maxBytes: number,
  instead = 'name files with --component-file',
): Promise<Buffer> {
  if (!input.isTTY) return Promise.reject(new PromptError(`there is no terminal to type at: ${instead}`));
  return new Promise((resolve, reject) => {
    const typed = Buffer.alloc(maxBytes);
    let length = 0;
    const end = (problem?: string): void => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      const answer = Buffer.from(typed.subarray(0, problem === undefined ? length : 0));
      typed.fill(0);
      if (problem === undefined) resolve(answer);
      else reject(new PromptError(problem));
    };
    const onData = (chunk: Buffer): void => {
      for (const byte of chunk) {
        const isErasing = ERASE.has(byte);
        if (ENTER.has(byte) || BREAK.has(byte) || (length === maxBytes && !isErasing)) {
          end(ENTER.has(byte) ? undefined : problemOf(byte, maxBytes));
          break;
        }
        if (!isErasing) typed[length] = byte;
        length = Math.max(0, length + (isErasing ? -1 : 1));
      }
    };
    // Echo is off before the question appears, so that text pasted at once is not shown.
    input.setRawMode(true);
    output.write(question);
    input.on('data', onData);
    input.resume();
  });
}

function problemOf(byte: number, maxBytes: number): string {
  return BREAK.has(byte) ? 'cancelled: nothing was changed' : `more than ${maxBytes} characters`;
}
