import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import {
  type CLASSIC_REQUESTS,
  type ClassicRequestId,
  encodeClassicRequest,
} from '@tillbridge/wire/terminals/abecs/classic.js';
import { COMMANDS, type CommandId, type CommandSpec } from '@tillbridge/wire/terminals/abecs/commands.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import {
  encodePacket,
  INITIAL_FRAME_STATE,
  insidePacket,
  MAX_ABECS_DATA,
  MAX_CLASSIC_DATA,
  parseFrames,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import type { LayoutValues } from '@tillbridge/wire/terminals/abecs/layout.js';
import { RESPONSE_TIMEOUT_MS } from '@tillbridge/wire/terminals/abecs/link-limits.js';
import {
  decodeResponseMessage,
  ERROR_RESPONSE_ID,
  encodeCommandMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { notificationLines } from '@tillbridge/wire/terminals/abecs/notification.js';
import { decodeParameters, encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { ST_OK } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { type Codec, type CodecEffect, CommandLink } from '../core/command-link.js';
import type { DriverFailure } from '../core/driver.js';
import { attempt, failed, isFailed, problemOf, type Result } from '../core/result.js';
import {
  IDLE_LINK,
  LINK_TIMERS,
  type LinkCommand,
  type LinkEffect,
  type LinkEvent,
  type LinkFailure,
  type LinkMessage,
  type LinkTimer,
  linkStep,
} from './link-machine.js';

/** How a command ended. */
export type Reply = Result<
  | { readonly kind: 'ok'; readonly fields: FieldReader; readonly blocks: readonly Uint8Array[] }
  /** The device answered with an error status. */
  | { readonly kind: 'status'; readonly status: number }
  /** CAN ended it. */
  | { readonly kind: 'cancelled' }
>;

/** Shows the two lines of a notification. */
type NotificationListener = (lines: readonly [string, string]) => void;

const LINE_FAILURES: Readonly<Record<LinkFailure, readonly [DriverFailure, string]>> = {
  'no-ack': ['terminal-silent', 'the terminal does not confirm commands'],
  rejected: ['protocol-error', 'the terminal refuses every copy of the command as damaged'],
  'no-answer': ['terminal-silent', 'the terminal confirmed the command and never answered'],
  damaged: ['protocol-error', 'every answer of the terminal came damaged'],
  'no-eot': ['terminal-silent', 'the terminal does not confirm cancelling'],
};

const NO_FIELDS = new FieldReader([]);
const CANCELLED = { kind: 'cancelled' } as const;
const EACH_TIMER: readonly CodecEffect<LinkMessage>[] = LINK_TIMERS.map((timer) => ({
  kind: 'stop-timer',
  timer,
}));

/** The link machine, and the parser in front of it. */
class AbecsCodec implements Codec<LinkCommand | 'cancel', LinkMessage> {
  private state = IDLE_LINK;
  private parser = INITIAL_FRAME_STATE;

  send(command: LinkCommand | 'cancel'): readonly CodecEffect<LinkMessage>[] {
    return this.step(command === 'cancel' ? { kind: command } : { kind: 'command', command });
  }

  receive(bytes: Uint8Array): readonly CodecEffect<LinkMessage>[] {
    const { state, events } = parseFrames(this.parser, bytes);
    this.parser = state;
    const began = this.step({ kind: 'bytes', inside: insidePacket(state) });
    return [...began, ...events.flatMap((frame) => this.step({ kind: 'frame', frame }))];
  }

  timeout(timer: string): readonly CodecEffect<LinkMessage>[] {
    return this.step({ kind: 'timer', timer: timer as LinkTimer });
  }

  reset(): void {
    this.state = IDLE_LINK;
    this.parser = INITIAL_FRAME_STATE;
  }

  private step(event: LinkEvent): readonly CodecEffect<LinkMessage>[] {
    const { state, effects } = linkStep(this.state, event);
    this.state = state;
    return effects.flatMap((effect) => this.translate(effect));
  }

  private translate(effect: LinkEffect): readonly CodecEffect<LinkMessage>[] {
    if (effect.kind === 'stop-timers') return EACH_TIMER;
    if (effect.kind !== 'reset-parser') return [effect];
    this.parser = INITIAL_FRAME_STATE;
    return [];
  }
}

/** Commands of ABECS as values in and out, one at a time; a cancel may overtake and ends what runs. */
export class AbecsLink extends CommandLink<LinkCommand | 'cancel', LinkMessage> {
  constructor(pipe: BytePipe, clock: Clock) {
    super(pipe, clock, new AbecsCodec());
  }

  /**
   * A TLV command. `guardMs` bounds a blocking one, which may send notifications.
   * @param more parameters behind the values: those of a name that is sent several times
   */
  abecs(
    id: CommandId,
    values: FieldValues,
    guardMs?: number,
    notify?: NotificationListener,
    more: readonly FieldValues[] = [],
  ): Promise<Reply> {
    return this.command(id, () => encodeParameters([values, ...more].flatMap(fields)), guardMs, notify);
  }

  /** A classic command with fixed fields. */
  classic<I extends ClassicRequestId & CommandId>(
    id: I,
    values: LayoutValues<(typeof CLASSIC_REQUESTS)[I]>,
    guardMs?: number,
  ): Promise<Reply> {
    return this.command(id, () => [encodeClassicRequest(id, values)], guardMs);
  }

  /** A classic command with ready blocks: OPN, TLR, TLE. */
  blocks(id: CommandId, blocks: readonly Uint8Array[]): Promise<Reply> {
    return this.command(id, () => blocks);
  }

  /** CAN until EOT: ends a running command, or frees a device whose state is not known. */
  async cancel(): Promise<Result<undefined>> {
    return problemOf(await this.wait('CAN', 'cancel', false, () => {}));
  }

  private async command(
    id: CommandId,
    build: () => readonly Uint8Array[],
    answerWithinMs = RESPONSE_TIMEOUT_MS,
    notify: NotificationListener = () => {},
  ): Promise<Reply> {
    const spec: CommandSpec = COMMANDS[id];
    const packet = attempt(id, () => packetOf(id, spec, build()), 'internal');
    if (isFailed(packet)) return packet;
    const { blocking } = spec;
    const answer = await this.wait(id, { id, packet, answerWithinMs, blocking }, blocking, notify);
    if (isFailed(answer) || 'kind' in answer) return answer;
    return attempt(id, () => parse(id, spec, answer));
  }

  /** @returns the bytes of the answer */
  private wait(
    name: string,
    command: LinkCommand | 'cancel',
    blocking: boolean,
    notify: NotificationListener,
  ): Promise<Result<Buffer | typeof CANCELLED>> {
    return this.exchange<Buffer | typeof CANCELLED>({
      name,
      command,
      blocking,
      take: (message) => {
        if (message.kind === 'notification') tell(message.data, notify);
        if (message.kind === 'answer') return { end: message.data };
        if (message.kind === 'cancelled') return { end: CANCELLED, others: CANCELLED };
        if (message.kind !== 'failed') return undefined;
        const [failure, text] = LINE_FAILURES[message.reason];
        const end = failed(failure, `${name}: ${text}`);
        return { end, others: end };
      },
    });
  }
}

function packetOf(id: CommandId, { style }: CommandSpec, blocks: readonly Uint8Array[]): Result<Buffer> {
  const data = encodeCommandMessage({ id, blocks });
  const limit = style === 'abecs' ? MAX_ABECS_DATA : MAX_CLASSIC_DATA;
  if (data.length <= limit) return encodePacket(data);
  return failed('data-too-long', `${id}: ${data.length} bytes, at most ${limit}`);
}

function parse(id: CommandId, { style }: CommandSpec, data: Buffer): Reply {
  const { id: answered, status, blocks } = decodeResponseMessage(data);
  if (answered === ERROR_RESPONSE_ID) {
    return failed('protocol-error', `${id}: the terminal does not know the command (status ${status})`);
  }
  if (status !== ST_OK) return { kind: 'status', status };
  return {
    kind: 'ok',
    fields: style === 'abecs' ? new FieldReader(decodeParameters(blocks)) : NO_FIELDS,
    blocks,
  };
}

/** A notification is only shown: one that cannot be read must not end a sale. */
function tell(data: Buffer, notify: NotificationListener): void {
  const lines = attempt('notification', () => notificationLines(decodeResponseMessage(data)));
  if (!isFailed(lines)) notify(lines);
}
