import { DIGITS_PROMPTS, type PersonAnswer, type Question } from '../../drivers/core/driver.js';
import type { Fields } from '../messages/fields.js';
import { NexoError } from '../messages/nexo-error.js';
import { failure, type NexoResponse } from '../messages/response.js';
import { deviceResponse, exclusively } from './device-work.js';
import { DEVICES, textsOf } from './devices.js';
import { type Handler, workId } from './ports.js';

/** Limits of a question to a person. */
const INPUT_LIMITS = { defaultSeconds: 60, maxSeconds: 240, maxDigits: 32, maxOptions: 20 } as const;

/**
 * Puts a question to the person in front of the terminal: GetAnyKey, GetConfirmation, GetMenuEntry; DigitString by a text that the
 * terminal holds, which `PredefinedContent.ReferenceID` names. Other commands would show a text of the till in front of digits, by which
 * a till could ask the cardholder for a PIN.
 */
export const input: Handler = async ({ header, body }, ports) => {
  const { id: terminalId } = ports.terminals.of(header.POIID);
  const input = body.object('InputData');
  const Device = input.oneOf('Device', DEVICES);
  const InfoQualify = input.text('InfoQualify');
  const InputCommand = input.text('InputCommand');
  const result = (Response: NexoResponse, Input?: object) => ({
    InputResult: { Device, InfoQualify, Response, ...(Input && { Input }) },
  });
  if (Device !== 'CustomerInput') return result(failure('UnavailableDevice', `${Device} is the till’s own`));
  const question = questionOf(InputCommand, input, body.objectIfThere('DisplayOutput'));
  if ('Result' in question) return result(question);
  const mine = { category: 'Input', saleId: header.SaleID, id: workId(header) } as const;
  const outcome = await exclusively(ports, terminalId, mine, () =>
    ports.sales.device(terminalId, { kind: 'ask', question }),
  );
  if ('Result' in outcome) return result(outcome);
  const response = deviceResponse(outcome, `a way to ask for ${InputCommand}`);
  return outcome.kind === 'answered'
    ? result(response, { InputCommand, ...inputOf(outcome.answer, InputCommand) })
    : result(response);
};

function inputOf(answer: PersonAnswer, command: string): object {
  switch (answer.kind) {
    case 'confirm':
      return command === 'GetConfirmation' ? { ConfirmedFlag: answer.confirmed } : {};
    case 'choose':
      return { MenuEntryNumber: [answer.option + 1] };
    case 'digits':
      return { DigitInput: answer.digits };
  }
}

/** The question, or why this terminal cannot ask it. @throws NexoError `bad-field` */
function questionOf(command: string, input: Fields, output: Fields | undefined): Question | NexoResponse {
  const timeoutMs =
    1_000 * whole(input, 'MaxInputTime', 1, INPUT_LIMITS.maxSeconds, INPUT_LIMITS.defaultSeconds);
  const content = output?.object('OutputContent');
  switch (command) {
    case 'GetAnyKey':
    case 'GetConfirmation': {
      const texts = textsOf(needed(content, command));
      return Array.isArray(texts) ? { kind: 'confirm', text: texts.join(' '), timeoutMs } : texts;
    }
    case 'GetMenuEntry': {
      const texts = content ? textsOf(content) : [];
      if (!Array.isArray(texts)) return texts;
      const options = output?.objects('MenuEntry').map(textsOf) ?? [];
      const refused = options.find((option) => !Array.isArray(option));
      if (refused) return refused as NexoResponse;
      if (options.length === 0 || options.length > INPUT_LIMITS.maxOptions)
        throw new NexoError(
          'bad-field',
          `DisplayOutput.MenuEntry must have 1 to ${INPUT_LIMITS.maxOptions} entries`,
        );
      const labels = options.map((option) => (option as string[]).join(' '));
      return { kind: 'choose', text: texts.join(' '), options: labels, timeoutMs };
    }
    case 'DigitString': {
      const predefined = content?.objectIfThere('PredefinedContent');
      const named = predefined?.textIfThere('ReferenceID');
      const prompt = DIGITS_PROMPTS.find((each) => each === named);
      if (!prompt)
        return failure(
          'UnavailableDevice',
          `the terminal prompts for digits only by texts that it holds: PredefinedContent.ReferenceID must be one of ${DIGITS_PROMPTS.join(', ')}`,
        );
      const minDigits = whole(input, 'MinLength', 0, INPUT_LIMITS.maxDigits, 1);
      const maxDigits = whole(
        input,
        'MaxLength',
        Math.max(1, minDigits),
        INPUT_LIMITS.maxDigits,
        INPUT_LIMITS.maxDigits,
      );
      return { kind: 'digits', prompt, minDigits, maxDigits, timeoutMs };
    }
    default:
      return failure('UnavailableDevice', `no terminal of this agent has ${command}`);
  }
}

function needed(content: Fields | undefined, command: string): Fields {
  if (content) return content;
  throw new NexoError('bad-field', `DisplayOutput is missing: ${command} needs a text`);
}

/** @throws NexoError `bad-field` */
function whole(fields: Fields, name: string, least: number, most: number, otherwise: number): number {
  const value = fields.get(name) ?? otherwise;
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new NexoError('bad-field', `${fields.path}.${name} must be a whole number from ${least} to ${most}`);
}
