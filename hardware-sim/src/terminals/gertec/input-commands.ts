import { fields as encodeFields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { MENU_LIMITS } from '@tillbridge/wire/terminals/abecs/results.js';
import type { KeyedInput } from '../core/terminal-ui.js';
import type { CommandHandler, DeviceAnswer, DeviceContext, DeviceRequest } from './device-context.js';
import { StatusError } from './failure-statuses.js';

const CARRIAGE_RETURN = '\r';
/** Of GCD where the host names none (ABECS 2.12 §3.3.8). */
const MAX_DIGITS = 32;
const LAST_MESSAGE = 0x35;

/** MNU: the options of a menu, chosen by their number (ABECS 2.12 §3.3.13). */
export const menu: CommandHandler = async (device, request) => {
  const options = request.fields.texts('SPE_MNUOPT');
  if (options.length > MENU_LIMITS.options) throw new StatusError('ST_INVPARM');
  const title = (request.fields.text('SPE_DSPMSG') ?? '').split(CARRIAGE_RETURN);
  device.ui.show([...title, ...options.map((option, at) => `${at + 1} ${option}`)]);
  const text = await entered(
    device,
    request,
    (value) => Number(value) >= 1 && Number(value) <= options.length,
  );
  return value(device, text.padStart(2, '0'));
};

/** GCD: digits by a text of the fixed table (ABECS 2.12 §6.5.8). Letters are not simulated. */
export const getClearData: CommandHandler = async (device, request) => {
  const { fields } = request;
  const message = fields.number('SPE_MSGIDX') ?? 0;
  const least = fields.number('SPE_MINDIG') ?? 0;
  const most = fields.number('SPE_MAXDIG') ?? MAX_DIGITS;
  if (message < 1 || message > LAST_MESSAGE || most < least || most > MAX_DIGITS || fields.has('SPE_GCDOPT'))
    throw new StatusError('ST_INVPARM');
  device.ui.show([`TEXT ${message.toString(16).toUpperCase().padStart(4, '0')}`]);
  return value(device, await entered(device, request, ({ length }) => length >= least && length <= most));
};

/** What a person keys in. @throws StatusError ST_TIMEOUT; WaitAborted */
export async function keyedIn(
  { ui }: DeviceContext,
  { fields, signal }: Pick<DeviceRequest, 'fields' | 'signal'>,
): Promise<KeyedInput> {
  const seconds = fields.number('SPE_TIMEOUT');
  const input = await ui.waitForInput(seconds === undefined ? undefined : seconds * 1_000, signal);
  if (input === 'timeout') throw new StatusError('ST_TIMEOUT');
  return input;
}

/** The device goes on asking while what was entered does not fit. @throws StatusError ST_TIMEOUT, ST_CANCEL; WaitAborted */
async function entered(
  device: DeviceContext,
  request: DeviceRequest,
  fits: (text: string) => boolean,
): Promise<string> {
  for (;;) {
    const input = await keyedIn(device, request);
    if (input.kind === 'cancel') throw new StatusError('ST_CANCEL');
    if (fits(input.text)) return input.text;
  }
}

/** The display is empty afterwards. */
function value({ ui }: DeviceContext, PP_VALUE: string): DeviceAnswer {
  ui.clear();
  ui.setState('idle');
  return encodeParameters(encodeFields({ PP_VALUE }));
}
