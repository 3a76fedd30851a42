import { fields as encodeFields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { EVENTS } from '@tillbridge/wire/terminals/abecs/results.js';
import { incompleteTrack1, incompleteTrack2 } from '@tillbridge/wire/terminals/abecs/tracks.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { Presentation } from '../core/terminal-ui.js';
import type { CommandHandler, DeviceAnswer, DeviceContext, DeviceRequest } from './device-context.js';
import { StatusError } from './failure-statuses.js';
import { masker } from './get-card-command.js';
import { keyedIn } from './input-commands.js';
import { option } from './transaction-inputs.js';

/** Places in SPE_CEXOPT; at the chip's a `2` requests its removal. */
const KEYS = 0;
const MAGSTRIPE = 1;
const CHIP = 2;
const TAP = 3;
const REMOVAL = '2';
const KEYS_ONLY = '100000';
/** The antenna is switched off after this time, at any SPE_TIMEOUT (ABECS 2.12 §6.5.1). */
const ANTENNA_MS = 120_000;

/** CEX: waits for a key, a swipe, a chip that comes or leaves, or a tap (ABECS 2.12 §6.5.1). Of the keys there are OK, where keys alone are waited for, and CANCEL. */
export const checkEvent: CommandHandler = async (device, request) => {
  const { ui, session } = device;
  const options = request.fields.text('SPE_CEXOPT') ?? '';
  session.tracks = undefined;
  if (options[CHIP] === REMOVAL) return removal(device, request);
  if (options === KEYS_ONLY) return key(device, request);
  const tap = option(options, TAP);
  const given = await waitFor(device, request, modesOf(options), tap, option(options, KEYS));
  ui.setState('idle');
  if (given === 'antenna-off') return event('noTap');
  if (given === 'cancel-key') return event('cancelKey');
  if (given.how === 'swipe') return swiped(device, request, given);
  // The card stays where it is: a GCX that follows reads it.
  if (given.how === 'tap') ui.present(given);
  return event(given.how === 'tap' ? 'tapped' : 'inserted');
};

function modesOf(options: string): ReadonlySet<PresentMode> {
  const modes: PresentMode[] = [];
  if (option(options, MAGSTRIPE)) modes.push('swipe');
  if (option(options, CHIP)) modes.push('insert');
  if (option(options, TAP)) modes.push('tap');
  return new Set(modes);
}

/** @throws StatusError ST_TIMEOUT; WaitAborted */
async function key(device: DeviceContext, request: DeviceRequest): Promise<DeviceAnswer> {
  const input = await keyedIn(device, request);
  device.ui.setState('idle');
  return event(input.kind === 'entered' ? 'okKey' : 'cancelKey');
}

/** @throws StatusError ST_TIMEOUT; WaitAborted */
async function waitFor(
  { ui, clock }: DeviceContext,
  { fields, signal }: DeviceRequest,
  modes: ReadonlySet<PresentMode>,
  tap: boolean,
  keys: boolean,
): Promise<Presentation | 'cancel-key' | 'antenna-off'> {
  const seconds = fields.number('SPE_TIMEOUT');
  const wantedMs = seconds === undefined ? undefined : seconds * 1_000;
  const antennaEnds = tap && (wantedMs === undefined || wantedMs > ANTENNA_MS);
  const timeoutMs = antennaEnds ? ANTENNA_MS : wantedMs;
  const untilMs = timeoutMs === undefined ? undefined : clock.monotonicMs() + timeoutMs;
  for (;;) {
    const leftMs = untilMs === undefined ? undefined : Math.max(0, untilMs - clock.monotonicMs());
    const given = await ui.waitForCard(modes, leftMs, signal);
    if (given === 'timeout' && antennaEnds) return 'antenna-off';
    if (given === 'timeout') throw new StatusError('ST_TIMEOUT');
    if (given !== 'cancel-key' || keys) return given;
  }
}

async function removal(
  { ui, clock }: DeviceContext,
  { fields, signal }: DeviceRequest,
): Promise<DeviceAnswer> {
  if (!ui.inserted) return event('removed');
  const seconds = fields.number('SPE_TIMEOUT');
  const late = new AbortController();
  const timer =
    seconds === undefined
      ? undefined
      : clock.setTimer(seconds * 1_000, () => late.abort(new StatusError('ST_TIMEOUT')));
  try {
    await ui.slotEmptied(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    timer?.cancel();
  }
  return event('removed');
}

/** A swipe of which nothing could be read is an event without tracks. */
function swiped({ session }: DeviceContext, { fields }: DeviceRequest, { card }: Presentation): DeviceAnswer {
  const mask = masker(fields);
  const { track1, track2 } = card.magstripe ?? {};
  session.tracks = { pan: track2?.split('=')[0], fromChip: false, track1, track2 };
  return event('swiped', {
    ...(track1 !== undefined && { PP_TRK1INC: mask(incompleteTrack1(track1)) }),
    ...(track2 !== undefined && { PP_TRK2INC: mask(incompleteTrack2(track2)) }),
  });
}

function event(
  name: keyof typeof EVENTS,
  tracks: { readonly PP_TRK1INC?: string; readonly PP_TRK2INC?: string } = {},
): DeviceAnswer {
  return encodeParameters(encodeFields({ PP_EVENT: EVENTS[name], ...tracks }));
}
