import { toHex } from '@tillbridge/wire/bytes.js';
import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { DIRECTORY_NAMES, INS, type ResponseApdu, SELECT, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, readObjects } from './card-reader.js';
import { KernelError, swText } from './kernel-error.js';

/** An application of the card that the terminal supports. */
interface Candidate {
  /** DF name of the card, hex. */
  readonly name: string;
  /** The AID of the terminal's list that matched, hex. */
  readonly terminalAid: string;
  readonly label: string;
  /** 1 is the highest; 15 where the card has no tag 87. */
  readonly priority: number;
}

/** What the final SELECT gave. */
export interface SelectedApplication extends Candidate {
  /** Tag 9F38; empty when the card requests nothing. */
  readonly pdol: Uint8Array;
}

/** Records of a directory, and further names behind one partial AID, that a terminal reads. */
const MAX_DIRECTORY_RECORDS = 16;
const MAX_OCCURRENCES = 16;
const NO_PRIORITY = 15;
const NO_DATA = Buffer.alloc(0);

function selectByName(card: Card, name: Uint8Array, p2: number = SELECT.first): Promise<ResponseApdu> {
  return exchange(card, { cla: 0x00, ins: INS.select, p1: SELECT.byName, p2, data: name });
}

/**
 * The applications that card and terminal share, best first (EMV Book 1 §12.3): through the payment system directory,
 * or by trying each AID where the card has no directory.
 * @param terminalAids hex
 * @throws KernelError card-blocked, application-blocked, no-application
 */
export async function contactCandidates(card: Card, terminalAids: readonly string[]): Promise<Candidate[]> {
  const directory = await selectByName(card, DIRECTORY_NAMES.contact);
  if (directory.sw === SW.functionNotSupported) throw new KernelError('card-blocked', 'SELECT answered 6A81');
  const listed = directory.sw === SW.ok ? await readDirectory(card, directory.data, terminalAids) : [];
  if (listed.length > 0) return byPriority(listed);
  return byPriority(await tryAids(card, terminalAids));
}

/**
 * The same by field: the directory is mandatory there (EMV Contactless Book B §3.3.2).
 * @throws KernelError card-blocked, application-blocked, no-application
 */
export async function contactlessCandidates(
  card: Card,
  terminalAids: readonly string[],
): Promise<Candidate[]> {
  const directory = await selectByName(card, DIRECTORY_NAMES.contactless);
  if (directory.sw === SW.functionNotSupported) throw new KernelError('card-blocked', 'SELECT answered 6A81');
  if (directory.sw !== SW.ok)
    throw new KernelError('no-application', `PPSE answered ${swText(directory.sw)}`);
  const found = matchEntries(entriesOf(readObjects(directory.data, 'the PPSE')), terminalAids);
  if (found.length === 0) throw new KernelError('no-application', 'no AID of the card is in the tables');
  return byPriority(found);
}

async function readDirectory(
  card: Card,
  fci: Uint8Array,
  terminalAids: readonly string[],
): Promise<Candidate[]> {
  const sfi = findTlv(readObjects(fci, 'the PSE'), '88')?.[0];
  if (sfi === undefined) return [];
  const found: Candidate[] = [];
  for (let record = 1; record <= MAX_DIRECTORY_RECORDS; record += 1) {
    const answer = await exchange(card, { cla: 0x00, ins: INS.readRecord, p1: record, p2: (sfi << 3) | 4 });
    if (answer.sw !== SW.ok) break;
    found.push(...matchEntries(entriesOf(readObjects(answer.data, 'a directory record')), terminalAids));
  }
  return found;
}

/** The application templates (61), wherever they stand. */
function entriesOf(nodes: readonly TlvNode[]): (readonly TlvNode[])[] {
  return nodes.flatMap((node) => {
    if ('value' in node) return [];
    return node.tag === '61' ? [node.children] : entriesOf(node.children);
  });
}

function matchEntries(
  entries: readonly (readonly TlvNode[])[],
  terminalAids: readonly string[],
): Candidate[] {
  return entries.flatMap((entry) => {
    const name = findTlv(entry, '4F');
    return name === undefined ? [] : candidateOf(toHex(name), entry, terminalAids);
  });
}

/** A card's name matches an AID that it equals or begins with (EMV Book 1 §12.3.1). */
function candidateOf(name: string, nodes: readonly TlvNode[], terminalAids: readonly string[]): Candidate[] {
  const matching = terminalAids.filter((aid) => name.startsWith(aid));
  const terminalAid = matching.sort((a, b) => b.length - a.length)[0];
  if (terminalAid === undefined) return [];
  return [{ name, terminalAid, label: labelOf(nodes, name), priority: priorityOf(nodes) }];
}

function labelOf(nodes: readonly TlvNode[], name: string): string {
  const label = findTlv(nodes, '50');
  return label === undefined ? name : Buffer.from(label).toString('latin1').trimEnd();
}

function priorityOf(nodes: readonly TlvNode[]): number {
  return (findTlv(nodes, '87')?.[0] ?? 0) & 0x0f || NO_PRIORITY;
}

function byPriority(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => a.priority - b.priority);
}

async function tryAids(card: Card, terminalAids: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  let blocked = false;
  for (const aid of terminalAids) {
    for (let occurrence = 0; occurrence < MAX_OCCURRENCES; occurrence += 1) {
      const answer = await selectByName(
        card,
        Buffer.from(aid, 'hex'),
        occurrence === 0 ? SELECT.first : SELECT.next,
      );
      if (answer.sw === SW.functionNotSupported)
        throw new KernelError('card-blocked', 'SELECT answered 6A81');
      if (answer.sw !== SW.ok && answer.sw !== SW.selectedFileInvalidated) break;
      const nodes = readObjects(answer.data, 'an FCI');
      const name = toHex(findTlv(nodes, '84') ?? NO_DATA);
      if (answer.sw === SW.selectedFileInvalidated) blocked = true;
      else if (!found.some((other) => other.name === name))
        found.push(...candidateOf(name, nodes, terminalAids));
      if (name === aid) break;
    }
  }
  if (found.length === 0) throw noApplication(blocked);
  return found;
}

function noApplication(blocked: boolean): KernelError {
  return blocked
    ? new KernelError('application-blocked', 'SELECT answered 6283')
    : new KernelError('no-application', 'no AID of the card is in the tables');
}

/**
 * Selects the best candidate for good; one that is blocked or refuses makes room for the next (EMV Book 1 §12.4).
 * @throws KernelError application-blocked, no-application, card-data-invalid
 */
export async function selectFinally(
  card: Card,
  candidates: readonly Candidate[],
): Promise<SelectedApplication> {
  let blocked = false;
  for (const candidate of candidates) {
    const answer = await selectByName(card, Buffer.from(candidate.name, 'hex'));
    if (answer.sw === SW.selectedFileInvalidated) blocked = true;
    if (answer.sw !== SW.ok) continue;
    const nodes = readObjects(answer.data, 'the FCI');
    if (toHex(findTlv(nodes, '84') ?? NO_DATA) !== candidate.name) {
      throw new KernelError('card-data-invalid', 'the FCI names another application');
    }
    return { ...candidate, label: labelOf(nodes, candidate.name), pdol: findTlv(nodes, '9F38') ?? NO_DATA };
  }
  throw noApplication(blocked);
}
