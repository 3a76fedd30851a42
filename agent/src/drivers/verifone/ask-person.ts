import { findTemplate, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { DIALOG_OPTIONS, INPUT_TEMPLATES, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { DeviceOutcome, PersonAnswer, Question } from '../core/driver.js';
import { failed, isFailed, STOPPED_BY_TILL } from '../core/result.js';
import { number, OPTION_BYTES } from './device.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import type { SdiLink } from './link.js';
import { type Answer, ask, waitEnd } from './replies.js';

const { cancelKey, enterKey } = DIALOG_OPTIONS;

type Asking = 'handleDisplay' | 'menu' | 'secureInput';
const COMMANDS_OF = {
  confirm: 'handleDisplay',
  choose: 'menu',
  digits: 'secureInput',
} as const satisfies Record<Question['kind'], Asking>;

/** Puts a question to the person in front of the device: a key by 24-03, an option by 24-05, digits by 24-04. */
export async function askPerson(
  link: SdiLink,
  question: Question,
  stopped: () => boolean,
): Promise<DeviceOutcome> {
  if (stopped()) return STOPPED_BY_TILL;
  const command = COMMANDS_OF[question.kind];
  const seconds = Math.ceil(question.timeoutMs / 1_000);
  const data = encodeContainer([...objectsOf(question), tlv(TAGS.timeoutSeconds, number(seconds, 2))]);
  const timeoutMs = seconds * 1_000 + COMMAND_TIMEOUT_MS;
  const answer = await ask(link, command, { data, timeoutMs, blocking: true });
  if (isFailed(answer)) return answer;
  // The cancel key is the answer No.
  if (question.kind === 'confirm' && answer.hint === 'cancelled')
    return answered({ kind: 'confirm', confirmed: false });
  if (answer.hint !== 'ok') return waitEnd(command, answer, stopped());
  const read = answerTo(question, answer);
  return read ? answered(read) : failed('protocol-error', 'the answer does not fit the question');
}

function answered(answer: PersonAnswer): DeviceOutcome {
  return { kind: 'answered', answer };
}

function text(tag: string, value: string): TlvNode {
  return tlv(tag, Buffer.from(value, 'utf8'));
}

function objectsOf(question: Question): readonly TlvNode[] {
  switch (question.kind) {
    case 'confirm':
      return [
        tlv(TAGS.displayData, [text(TAGS.variableValue, question.text)]),
        tlv(TAGS.dialogOptions, number(cancelKey | enterKey, OPTION_BYTES)),
      ];
    case 'choose':
      return [
        text(TAGS.menuText, question.text),
        ...question.options.map((option) => text(TAGS.menuEntry, option)),
      ];
    case 'digits': {
      const { prompt, minDigits, maxDigits } = question;
      const format = `[${'N'.repeat(minDigits)}${'n'.repeat(maxDigits - minDigits)}]`;
      return [
        tlv(TAGS.inputTemplate, Buffer.of(INPUT_TEMPLATES[prompt].id)),
        tlv(TAGS.inputFormat, Buffer.from(format, 'latin1')),
      ];
    }
  }
}

function answerTo(question: Question, { objects }: Answer): PersonAnswer | undefined {
  switch (question.kind) {
    case 'confirm':
      return { kind: 'confirm', confirmed: true };
    case 'choose': {
      const option = (findTlv(objects, TAGS.menuIndex)?.[0] ?? 0) - 1;
      return question.options[option] === undefined ? undefined : { kind: 'choose', option };
    }
    case 'digits': {
      const input = findTemplate(objects, TAGS.inputData);
      const value = input && findTlv(input, TAGS.inputValue);
      // The published examples end the value with a zero byte.
      const digits = value && Buffer.from(value).toString('utf8').replace(/\0+$/, '');
      return digits !== undefined && /^\d{0,32}$/.test(digits) ? { kind: 'digits', digits } : undefined;
    }
  }
}
