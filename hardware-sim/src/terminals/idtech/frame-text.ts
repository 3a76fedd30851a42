import { toHex } from '@tillbridge/wire/bytes.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import { decodeObjects } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { PIN_BLOCK_TAG, TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import { decoded } from '../core/decoded.js';
import { secureObjectTree } from '../wire/object-tree.js';

/** Bytes ahead of the objects of these commands. */
const HEADS: Readonly<Partial<Record<CommandName, number>>> = {
  setConfiguration: 0,
  activate: 1,
  authenticate: 3,
  applyHostResponse: 1,
};
const HIDDEN: ReadonlySet<string> = new Set([TAGS.magstripeData, PIN_BLOCK_TAG]);

/** A command in readable form, account data and PINs hidden. */
export function commandText(name: CommandName, data: Uint8Array): string {
  const head = HEADS[name];
  if (head === undefined) return COMMANDS[name].name;
  const text = `${COMMANDS[name].name} ${toHex(data.subarray(0, head))}`.trimEnd();
  return `${text} ${objectsText(data.subarray(head))}`.trimEnd();
}

/** The objects of a command, account data and PINs hidden. */
export function commandTree(name: CommandName, data: Uint8Array): readonly DescribedNode[] {
  const head = HEADS[name];
  return head === undefined ? [] : objectsTree(data.subarray(head));
}

/** Commands whose answers are an attribution byte and objects. */
const CAPTURING: ReadonlySet<CommandName> = new Set(['activate', 'authenticate', 'applyHostResponse']);

/** The objects of an answer, account data and PINs hidden. */
export function answerTree(name: CommandName, data: Uint8Array): readonly DescribedNode[] {
  return CAPTURING.has(name) ? objectsTree(data.subarray(1)) : [];
}

/** An answer in readable form, account data and PINs hidden. */
export function answerText(name: CommandName, status: number, data: Uint8Array): string {
  const code = status.toString(16).toUpperCase().padStart(2, '0');
  const text = `${COMMANDS[name].name} ${code} ${statusOf(status).meaning}`;
  if (data.length === 0) return text;
  if (!CAPTURING.has(name)) return `${text} (${data.length} bytes)`;
  return `${text} ${toHex(data.subarray(0, 1))} ${objectsText(data.subarray(1))}`.trimEnd();
}

function objectsTree(bytes: Uint8Array): readonly DescribedNode[] {
  return secureObjectTree(decoded(() => decodeObjects(bytes)) ?? [], HIDDEN);
}

function objectsText(bytes: Uint8Array): string {
  const objects = decoded(() => decodeObjects(bytes));
  if (!objects) return `${bytes.length} bytes`;
  return objects
    .map(({ tag, disclosure, value }) => {
      const shown = disclosure === 'plain' && !isSensitiveTag(tag) && !HIDDEN.has(tag);
      return `${tag}=${shown ? toHex(value) : '***'}`;
    })
    .join(' ');
}
