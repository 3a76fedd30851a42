import type { Fields } from '../messages/fields.js';
import { failure, type NexoResponse } from '../messages/response.js';
import { deviceResponse } from './device-work.js';
import type { Handler, NexoPorts } from './ports.js';

/** The devices that messages name. */
export const DEVICES = ['CashierDisplay', 'CustomerDisplay', 'CashierInput', 'CustomerInput'] as const;

/** Shows texts on the terminal. A display of the cashier is the till's own. */
export const display: Handler = async ({ header, body }, ports) => {
  const { id: terminalId } = ports.terminals.of(header.POIID);
  const results: object[] = [];
  for (const output of body.objects('DisplayOutput')) {
    const Device = output.oneOf('Device', DEVICES);
    const InfoQualify = output.text('InfoQualify');
    const response =
      Device === 'CustomerDisplay'
        ? await show(ports, terminalId, output.object('OutputContent'))
        : failure('UnavailableDevice', `${Device} is the till’s own`);
    results.push({ Device, InfoQualify, Response: response });
  }
  return { OutputResult: results };
};

async function show({ sales }: NexoPorts, terminalId: string, content: Fields): Promise<NexoResponse> {
  const text = textsOf(content);
  if (!Array.isArray(text)) return text;
  return deviceResponse(
    await sales.device(terminalId, { kind: 'display', text: text.join(' ') }),
    'a display',
  );
}

/** Prints lines on the terminal, where it has a printer. */
export const print: Handler = async ({ header, body }, { terminals, sales }) => {
  const { id: terminalId } = terminals.of(header.POIID);
  const output = body.object('PrintOutput');
  const DocumentQualifier = output.text('DocumentQualifier');
  const lines = textsOf(output.object('OutputContent'));
  const Response = Array.isArray(lines)
    ? deviceResponse(await sales.device(terminalId, { kind: 'print', lines }), 'a printer')
    : lines;
  return { DocumentQualifier, Response };
};

/** The texts of a content, line by line; the refusal of any other format. */
export function textsOf(content: Fields): string[] | NexoResponse {
  const format = content.text('OutputFormat');
  if (format !== 'Text') return failure('UnavailableDevice', `the terminal takes no ${format}; send Text`);
  // A blank line may be written as an empty text.
  return content
    .objects('OutputText')
    .map((line) => (line.get('Text') === '' ? '' : (line.textIfThere('Text') ?? '')));
}
