import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { COMMANDS, encodeCommand, type MiuraCommand } from '@tillbridge/wire/terminals/miura/commands.js';
import {
  encodeCommandPacket,
  INITIAL_PACKET_STATE,
  parsePackets,
} from '@tillbridge/wire/terminals/miura/packet.js';
import { decodeResponse, type MiuraResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import { STATUSES } from '@tillbridge/wire/terminals/miura/statuses.js';
import { type CodecEffect, CommandLink, DAMAGED, parserCodec } from '../core/command-link.js';
import type { Result } from '../core/result.js';
import { ABORT_TIMEOUT_MS } from './limits.js';

/** How a command ended. */
export type Reply = Result<MiuraResponse>;

/** A message of the device; `unsolicited`: not an answer. */
interface MiuraAnswer extends MiuraResponse {
  readonly unsolicited: boolean;
}

const NO_DATA = Buffer.alloc(0);

/** The device reports a damaged command as unsolicited; the report is the command's answer (as in the maker's host code). */
function isAnswer({ unsolicited, sw }: MiuraAnswer): boolean {
  return !unsolicited || sw === STATUSES.damagedCommand.code;
}

type PacketEvent = ReturnType<typeof parsePackets>['events'][number];

function read(event: PacketEvent): readonly CodecEffect<MiuraAnswer>[] {
  if (event.kind !== 'message') return DAMAGED;
  const { unsolicited, apdu } = event.message;
  return [{ kind: 'message', message: { ...decodeResponse(apdu), unsolicited } }];
}

/**
 * Commands of MPI, one at a time; an abort may overtake the one that waits for people. MPI confirms nothing and numbers
 * nothing: answers belong to commands only by their order, and damage is noticed as silence.
 */
export class MiuraLink extends CommandLink<MiuraCommand, MiuraAnswer> {
  constructor(pipe: BytePipe, clock: Clock) {
    const codec = parserCodec(INITIAL_PACKET_STATE, parsePackets, read, (command: MiuraCommand) => [
      encodeCommandPacket(encodeCommand(command)),
    ]);
    super(pipe, clock, codec, 'all-when-blocking');
  }

  /** Sends a command and waits for its answer. */
  execute(command: MiuraCommand, timeoutMs: number): Promise<Reply> {
    const { name, blocking } = COMMANDS[command.command];
    const take = (answer: MiuraAnswer) => (isAnswer(answer) ? { end: answer } : undefined);
    const exchange = { name, command, timeoutMs, blocking, take };
    return command.command === 'abort' ? this.exchange(exchange) : this.exchangeExclusively(exchange);
  }

  /** Stops what runs: the running command ends as cancelled, then the abort is answered. */
  abort(): Promise<Reply> {
    return this.execute({ command: 'abort', p1: 0, p2: 0, data: NO_DATA }, ABORT_TIMEOUT_MS);
  }
}
