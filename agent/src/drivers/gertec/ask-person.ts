import { DIGIT_TEXTS, EVENTS, MENU_LIMITS } from '@tillbridge/wire/terminals/abecs/results.js';
import type { DeviceOutcome, PersonAnswer, Question } from '../core/driver.js';
import { attempt, failed, hasEnded, isFailed, type SaleEnd, STOPPED_BY_TILL } from '../core/result.js';
import { twoLines } from './display-text.js';
import { showLines } from './idle-display.js';
import type { AbecsLink, Reply } from './link.js';
import { answerOrEnd } from './replies.js';

const UNAVAILABLE = { kind: 'unavailable' } as const;
/** SPE_CEXOPT: only keys. */
const KEYS = '100000';
/** PP_EVENT of a key: any but OK is a no. */
const KEY = /^(0\d|13)$/;
/** Of SPE_TIMEOUT, in seconds. */
const MAX_SECONDS = 255;
/** How much later than its timeout the device may answer. */
const GRACE_MS = 6_000;
const NO_LINES = ['', ''] as const;

/** Puts a question to the person in front of the device: a key by CEX, an option by MNU, digits by GCD (ABECS 2.12 §3.3). */
export async function askPerson(
  link: AbecsLink,
  question: Question,
  stopped: () => boolean,
): Promise<DeviceOutcome> {
  const lines = question.kind === 'confirm' ? twoLines(question.text) : NO_LINES;
  const shown = await showLines(link, lines);
  if (shown) return shown;
  if (stopped()) return STOPPED_BY_TILL;
  const answer = await answerTo(link, question);
  return hasEnded(answer) || answer.kind === 'unavailable' ? answer : { kind: 'answered', answer };
}

type PersonResponse = Promise<PersonAnswer | SaleEnd | typeof UNAVAILABLE>;

function answerTo(link: AbecsLink, question: Question): PersonResponse {
  const SPE_TIMEOUT = Math.max(1, Math.min(MAX_SECONDS, Math.ceil(question.timeoutMs / 1_000)));
  const guardMs = SPE_TIMEOUT * 1_000 + GRACE_MS;
  switch (question.kind) {
    case 'confirm':
      return read('CEX', link.abecs('CEX', { SPE_CEXOPT: KEYS, SPE_TIMEOUT }, guardMs), 'PP_EVENT', (key) => {
        return KEY.test(key) ? { kind: 'confirm', confirmed: key === EVENTS.okKey } : undefined;
      });
    case 'choose': {
      const { options, text } = question;
      if (options.length > MENU_LIMITS.options) return Promise.resolve(UNAVAILABLE);
      const entries = options.map((option) => ({
        SPE_MNUOPT: plain(option).slice(0, MENU_LIMITS.characters),
      }));
      const reply = link.abecs('MNU', { SPE_TIMEOUT, SPE_DSPMSG: plain(text) }, guardMs, undefined, entries);
      return read('MNU', reply, 'PP_VALUE', (value) => {
        const option = Number(value) - 1;
        return options[option] === undefined ? undefined : { kind: 'choose', option };
      });
    }
    case 'digits': {
      const { prompt, minDigits, maxDigits } = question;
      if (!(prompt in DIGIT_TEXTS)) return Promise.resolve(UNAVAILABLE);
      const SPE_MSGIDX = DIGIT_TEXTS[prompt as keyof typeof DIGIT_TEXTS];
      const limits = { SPE_MSGIDX, SPE_MINDIG: minDigits, SPE_MAXDIG: maxDigits, SPE_TIMEOUT };
      return read('GCD', link.abecs('GCD', limits, guardMs), 'PP_VALUE', (digits) =>
        /^\d{0,32}$/.test(digits) ? { kind: 'digits', digits } : undefined,
      );
    }
  }
}

async function read(
  command: 'CEX' | 'MNU' | 'GCD',
  reply: Promise<Reply>,
  name: 'PP_EVENT' | 'PP_VALUE',
  of: (value: string) => PersonAnswer | undefined,
): PersonResponse {
  const answer = answerOrEnd(command, await reply);
  if (hasEnded(answer)) return answer;
  const value = attempt(command, () => answer.fields.text(name));
  if (isFailed(value)) return value;
  return (
    of(value?.trim() ?? '') ?? failed('protocol-error', `${command}: ${name} is no answer to the question`)
  );
}

/** Texts of ISO 8859-1 (format S). */
function plain(text: string): string {
  return text.replace(/[^\x20-\xff]/g, '?');
}
