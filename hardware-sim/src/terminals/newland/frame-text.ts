import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { CALLBACKS, UI_EVENTS } from '@tillbridge/wire/terminals/newland/callbacks.js';
import { FUNCTIONS, functionName } from '@tillbridge/wire/terminals/newland/functions.js';
import {
  answerType,
  MESSAGES,
  messageName,
  type NewlandMessage,
} from '@tillbridge/wire/terminals/newland/messages.js';
import { TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import { tlvText } from '../core/tlv-text.js';
import { objectTree } from '../wire/object-tree.js';

/** Values that frame logs never show. */
const HIDDEN: ReadonlySet<string> = new Set([TAGS.pinBlock]);
const PERFORM_HEADER_BYTES = 7;
const COMPLETE_HEADER_BYTES = 3;
const PERFORM_ANSWER_HEADER_BYTES = 13;

const ANSWER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(MESSAGES).map(({ type, name }) => [answerType(type), name]),
);

/** A request of the host in readable form. */
export function requestText({ type, body }: NewlandMessage): string {
  const name = messageName(type);
  if (!name) return 'unknown command';
  if (name !== 'level3') return MESSAGES[name].name;
  const [id] = body;
  const data = body.subarray(1);
  switch (functionName(id)) {
    case 'perform':
      return `${FUNCTIONS.perform.name} ${tlvText(data.subarray(PERFORM_HEADER_BYTES), HIDDEN)}`;
    case 'complete':
      return `${FUNCTIONS.complete.name} ${tlvText(data.subarray(COMPLETE_HEADER_BYTES), HIDDEN)}`;
    default:
      return functionText(id);
  }
}

/** An answer or an unsolicited message in readable form. */
export function answerText({ type, body }: NewlandMessage): string {
  const name = ANSWER_NAMES.get(type) ?? 'answer';
  if (name !== MESSAGES.level3.name) return `${name} answer`;
  const [id] = body;
  if (id === FUNCTIONS.callback.id) return callbackText(body.subarray(1));
  const code = body.subarray(1, 3).toString('latin1');
  if (id !== FUNCTIONS.perform.id) return `${functionText(id)} answer ${code}`;
  return `${functionText(id)} answer ${code} ${tlvText(body.subarray(PERFORM_ANSWER_HEADER_BYTES + 1), HIDDEN)}`;
}

/** The objects of a request, card data hidden. */
export function requestTree({ type, body }: NewlandMessage): readonly DescribedNode[] {
  if (messageName(type) !== 'level3') return [];
  const name = functionName(body[0]);
  if (name !== 'perform' && name !== 'complete') return [];
  const headerBytes = name === 'perform' ? PERFORM_HEADER_BYTES : COMPLETE_HEADER_BYTES;
  return objectTree(body.subarray(1 + headerBytes), HIDDEN);
}

/** The objects of an answer, card data hidden. */
export function answerTree({ type, body }: NewlandMessage): readonly DescribedNode[] {
  const isPerform = type === answerType(MESSAGES.level3.type) && body[0] === FUNCTIONS.perform.id;
  return isPerform ? objectTree(body.subarray(PERFORM_ANSWER_HEADER_BYTES + 1), HIDDEN) : [];
}

function functionText(id: number | undefined): string {
  const name = functionName(id);
  return name ? FUNCTIONS[name].name : 'unknown function';
}

function callbackText(data: Buffer): string {
  const [id, event] = data;
  const name = Object.entries(CALLBACKS).find(([, number]) => number === id)?.[0] ?? 'unknown';
  const what = Object.entries(UI_EVENTS).find(([, number]) => number === event)?.[0];
  return `CALLBACK ${name}${id === CALLBACKS.uiEvent && what ? ` ${what}` : ''}`;
}
