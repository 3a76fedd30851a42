import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { COMMANDS, type CommandName, commandTitle } from '@tillbridge/wire/terminals/magtek/commands.js';
import type { FrameEvent } from '@tillbridge/wire/terminals/magtek/framing.js';
import { lineFraming, type MmsTransport } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import {
  decodeMessage,
  encodeRequest,
  type MmsMessage,
  type MmsRequest,
  type MmsResponse,
} from '@tillbridge/wire/terminals/magtek/message.js';
import { type CodecEffect, CommandLink, DAMAGED, parserCodec } from '../core/command-link.js';
import { attempt, failed, isFailed, type Result } from '../core/result.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended. */
export type Reply = Result<MmsResponse>;

type Request = Omit<MmsRequest, 'kind'>;

const NO_PARAMETERS = Buffer.alloc(0);
const REFERENCES = 0x100;

function read(event: FrameEvent): readonly CodecEffect<MmsMessage>[] {
  if (event.kind === 'too-long') {
    const detail = `the terminal takes ${event.maxBytes} bytes at most`;
    return [{ kind: 'failed', failure: failed('data-too-long', detail) }];
  }
  if (event.kind === 'damaged') return DAMAGED;
  const message = attempt('message', () => decodeMessage(event.bytes));
  return isFailed(message) ? DAMAGED : [{ kind: 'message', message }];
}

/** Requests of MMS, each with a reference number. Damaged bytes may belong to any answer. */
export class MmsLink extends CommandLink<Request, MmsMessage> {
  private reference = 0;

  constructor(pipe: BytePipe, transport: MmsTransport, clock: Clock) {
    const { initial, parse, frames } = lineFraming(transport, 'to-device');
    super(
      pipe,
      clock,
      parserCodec(initial, parse, read, (request: Request) => frames(encodeRequest(request))),
    );
  }

  /**
   * Sends a command and waits for its response.
   * @param onResponse called at once when it comes, before anything that follows in the same bytes
   */
  request(
    command: CommandName,
    parameters: Uint8Array = NO_PARAMETERS,
    onResponse: () => void = () => {},
  ): Promise<Reply> {
    this.reference = (this.reference + 1) % REFERENCES;
    const { reference } = this;
    const request = { reference, command: COMMANDS[command], parameters: Buffer.from(parameters) };
    return this.exchange<MmsResponse>({
      name: commandTitle(command),
      command: request,
      timeoutMs: COMMAND_TIMEOUT_MS,
      timesOutAlone: true,
      take: (message) => {
        if (message.kind !== 'response' || message.reference !== reference) return undefined;
        if (message.command !== request.command) return undefined;
        onResponse();
        return { end: message };
      },
    });
  }
}
