import {
  type CLASSIC_REQUESTS,
  type ClassicRequestId,
  encodeClassicRequest,
} from '@tillbridge/protocol/terminals/abecs/classic.js';
import { COMMANDS, type CommandId, type CommandSpec } from '@tillbridge/protocol/terminals/abecs/commands.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import {
  encodePacket,
  MAX_ABECS_DATA,
  MAX_CLASSIC_DATA,
} from '@tillbridge/protocol/terminals/abecs/framing.js';
import type { LayoutValues } from '@tillbridge/protocol/terminals/abecs/layout.js';
import { RESPONSE_TIMEOUT_MS } from '@tillbridge/protocol/terminals/abecs/link-limits.js';
import {
  decodeResponseMessage,
  ERROR_RESPONSE_ID,
  encodeCommandMessage,
} from '@tillbridge/protocol/terminals/abecs/message.js';
import { notificationLines } from '@tillbridge/protocol/terminals/abecs/notification.js';
import { decodeParameters, encodeParameters } from '@tillbridge/protocol/terminals/abecs/parameters.js';
import { ST_OK } from '@tillbridge/protocol/terminals/abecs/statuses.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { type Failed, failed } from '../core/result.js';
import type { AbecsLink } from './link.js';
import type { LinkResult } from './link-machine.js';
import { lineFailure } from './replies.js';

/** How a command ended. */
export type Reply =
  | { readonly kind: 'ok'; readonly fields: FieldReader; readonly blocks: readonly Uint8Array[] }
  /** The device answered with an error status. */
  | { readonly kind: 'status'; readonly status: number }
  /** CAN ended it. */
  | { readonly kind: 'cancelled' }
  | Failed;

/** Shows the two lines of a notification. */
export type NotificationListener = (lines: readonly [string, string]) => void;

const NO_FIELDS = new FieldReader([]);

function parse(id: CommandId, spec: CommandSpec, data: Buffer): Reply {
  const message = decodeResponseMessage(data);
  if (message.id === ERROR_RESPONSE_ID) {
    return failed(
      'protocol-error',
      `${id}: the terminal does not know the command (status ${message.status})`,
    );
  }
  if (message.status !== ST_OK) return { kind: 'status', status: message.status };
  const reader = spec.style === 'abecs' ? new FieldReader(decodeParameters(message.blocks)) : NO_FIELDS;
  return { kind: 'ok', fields: reader, blocks: message.blocks };
}

/** Commands as values in and out over a link. Nothing rejects for what a device or line can do. */
export class CommandClient {
  private readonly link: AbecsLink;

  constructor(link: AbecsLink) {
    this.link = link;
  }

  /** A TLV command. `guardMs` bounds a blocking one, which may send notifications. */
  abecs(id: CommandId, values: FieldValues, guardMs?: number, notify?: NotificationListener): Promise<Reply> {
    return this.run(id, () => encodeParameters(fields(values)), guardMs, notify);
  }

  /** A classic command with fixed fields. */
  classic<I extends ClassicRequestId & CommandId>(
    id: I,
    values: LayoutValues<(typeof CLASSIC_REQUESTS)[I]>,
    guardMs?: number,
    notify?: NotificationListener,
  ): Promise<Reply> {
    return this.run(id, () => [encodeClassicRequest(id, values)], guardMs, notify);
  }

  /** A classic command with ready blocks: OPN, TLR, TLE. */
  blocks(id: CommandId, blocks: readonly Uint8Array[]): Promise<Reply> {
    return this.run(id, () => blocks);
  }

  /** CAN until EOT. */
  async cancel(): Promise<Failed | undefined> {
    const result = await this.link.cancel();
    return result.kind === 'failed' ? lineFailure(result.reason, 'CAN') : undefined;
  }

  private async run(
    id: CommandId,
    build: () => readonly Uint8Array[],
    guardMs = RESPONSE_TIMEOUT_MS,
    notify: NotificationListener = () => {},
  ): Promise<Reply> {
    const spec: CommandSpec = COMMANDS[id];
    const packet = this.packet(id, spec, build);
    if ('kind' in packet) return packet;
    const command = { id, packet, answerWithinMs: guardMs, blocking: spec.blocking };
    const result = await this.link.execute(command, (data) => this.notification(data, notify));
    return this.reply(id, spec, result);
  }

  private packet(id: CommandId, spec: CommandSpec, build: () => readonly Uint8Array[]): Buffer | Failed {
    try {
      const data = encodeCommandMessage({ id, blocks: build() });
      const limit = spec.style === 'abecs' ? MAX_ABECS_DATA : MAX_CLASSIC_DATA;
      if (data.length > limit)
        return failed('data-too-long', `${id}: ${data.length} bytes, at most ${limit}`);
      return encodePacket(data);
    } catch (error) {
      if (error instanceof TerminalFormatError) return failed('internal', `${id}: ${error.message}`);
      throw error;
    }
  }

  private reply(id: CommandId, spec: CommandSpec, result: LinkResult): Reply {
    if (result.kind === 'failed') return lineFailure(result.reason, id);
    if (result.kind === 'cancelled') return result;
    return decoding(id, () => parse(id, spec, result.data));
  }

  private notification(data: Buffer, notify: NotificationListener): void {
    try {
      notify(notificationLines(decodeResponseMessage(data)));
    } catch (error) {
      // A notification is for the eye alone: one that cannot be read must not end a sale.
      if (!(error instanceof TerminalFormatError)) throw error;
    }
  }
}

/** Runs a reading step; bytes that break the format are a failure, not an exception. */
export function decoding<T>(id: string, read: () => T | Failed): T | Failed {
  try {
    return read();
  } catch (error) {
    if (error instanceof TerminalFormatError) return failed('protocol-error', `${id}: ${error.message}`);
    throw error;
  }
}
