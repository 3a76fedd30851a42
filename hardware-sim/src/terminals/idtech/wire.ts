import {
  COMMANDS,
  type CommandName,
  commandName,
  NOTIFICATIONS,
  SWITCH_BITS,
} from '@tillbridge/wire/terminals/idtech/commands.js';
import type { FrameEvent, NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { REPORT_BYTES } from '@tillbridge/wire/terminals/idtech/hid-report.js';
import { INITIAL_LINE_STATE, type NeoLine, parseLine } from '@tillbridge/wire/terminals/idtech/line.js';
import { DAMAGED, type WireDirection, type WireMessage } from '../wire/wire-message.js';
import { type WireReader, wireReader } from '../wire/wire-reader.js';
import { answerText, answerTree, commandText, commandTree } from './frame-text.js';

/** Commands that wait for their only answer. */
const MAX_WAITING = 8;

/** Reads a line of NEO 2. An answer has only the command byte: it belongs to the first command with that byte that waits for one. */
export function idtechWire(transport: string): WireReader {
  const line: NeoLine = transport === 'hid' ? 'hid' : 'serial';
  const waiting: CommandName[] = [];
  /** The last command that runs until people have ended it. */
  let running: CommandName | undefined;
  const onRequest = (name: CommandName): void => {
    if (COMMANDS[name].answers !== 'once') running = name;
    else waiting.push(name);
    if (waiting.length > MAX_WAITING) waiting.shift();
  };
  const answered = (byte: number): CommandName | undefined => {
    const at = waiting.findIndex((name) => COMMANDS[name].command === byte);
    return at < 0 ? running : waiting.splice(at, 1)[0];
  };
  const meaning = (direction: WireDirection, event: FrameEvent): WireMessage => {
    if (event.kind === 'damaged') return DAMAGED;
    const { frame } = event;
    if (direction === 'out') return notificationOf(frame) ?? answerOf(frame, answered(frame.command));
    const name = commandName(frame.command, frame.second);
    if (name === undefined) return { kind: 'message', text: 'unknown command' };
    onRequest(name);
    return {
      kind: 'message',
      text: commandText(name, frame.data),
      objects: () => commandTree(name, frame.data),
    };
  };
  return wireReader(
    {
      initial: INITIAL_LINE_STATE,
      parse: (direction, state, bytes) =>
        parseLine(line, direction === 'in' ? 'host' : 'device', state, bytes),
      atRest: ({ frames, reports }) => frames.rest.length === 0 && reports.parts === undefined,
      ...(line === 'hid' && { unitBytes: REPORT_BYTES }),
    },
    meaning,
  );
}

/** What the device reports by itself; undefined for an answer. */
function notificationOf({ command, second, data }: NeoFrame): WireMessage | undefined {
  const { objectEvent, switches } = NOTIFICATIONS;
  if (command === objectEvent.command && second === objectEvent.second)
    return { kind: 'message', text: 'the screen was touched' };
  if (command !== switches.command || second !== switches.second) return undefined;
  const seated = ((data[0] ?? 0) & SWITCH_BITS.cardSeated) !== 0;
  return { kind: 'message', text: seated ? 'card seated' : 'card not seated' };
}

function answerOf({ second, data }: NeoFrame, name: CommandName | undefined): WireMessage {
  if (name === undefined) return { kind: 'message', text: 'answer' };
  return { kind: 'message', text: answerText(name, second, data), objects: () => answerTree(name, data) };
}
