import type { Fields } from '@tillbridge/protocol/nexo/fields.js';
import { failure, type NexoResponse, success } from '@tillbridge/protocol/nexo/response.js';
import type { DeviceOutcome } from '../../drivers/core/driver.js';
import type { Handler, NexoPorts } from './ports.js';

const DEVICES = ['CashierDisplay', 'CustomerDisplay', 'CashierInput', 'CustomerInput'] as const;

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
  const format = content.text('OutputFormat');
  if (format !== 'Text') return failure('UnavailableDevice', `the display shows no ${format}; send Text`);
  const text = content.objects('OutputText').map((line) => line.textIfThere('Text') ?? '');
  return deviceResponse(
    await sales.device(terminalId, { kind: 'display', text: text.join(' ') }),
    'a display',
  );
}

/** No maker's protocol is known to ask for more than a PIN and a card number. */
export const input: Handler = async ({ header, body }, { terminals }) => {
  terminals.of(header.POIID);
  const asked = body.object('InputData');
  const Device = asked.oneOf('Device', DEVICES);
  const InfoQualify = asked.text('InfoQualify');
  return { InputResult: { Device, InfoQualify, Response: lacks('keys for an input') } };
};

/** None of the makers' terminals has a printer of its own. */
export const print: Handler = async ({ header, body }, { terminals }) => {
  terminals.of(header.POIID);
  const DocumentQualifier = body.object('PrintOutput').text('DocumentQualifier');
  return { DocumentQualifier, Response: lacks('a printer') };
};

/** What a till is told of work that is no sale; `what` names it where the terminal does not have it. */
export function deviceResponse(outcome: DeviceOutcome, what: string): NexoResponse {
  switch (outcome.kind) {
    case 'done':
    case 'card':
      return success();
    case 'unavailable':
      return lacks(what);
    case 'cancelled':
      return failure(outcome.by === 'till' ? 'Aborted' : 'Cancel', `cancelled by the ${outcome.by}`);
    case 'failed':
      return failure(outcome.failure === 'terminal-busy' ? 'Busy' : 'DeviceOut', outcome.detail);
  }
}

function lacks(what: string): NexoResponse {
  return failure('UnavailableDevice', `the terminal has not ${what} by its maker’s protocol`);
}
