import './verify-page.css';
import { PROOF_FAULTS } from '@tillbridge/wire/errors/proof-faults.js';
import { proofStatement } from '@tillbridge/wire/proof/proof-statement.js';
import { readProof } from '@tillbridge/wire/proof/read-proof.js';
import type { SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import { verifyProof } from '@tillbridge/wire/proof/verify-proof.js';
import { BROWSER_CRYPTO } from './browser-crypto.js';

/** Bytes of the fingerprint of a key, as gateway and agent show it. */
const FINGERPRINT_BYTES = 16;

const fileField = input('file', 'proof', 'Proof: the file that "tillbridge-agent prove" wrote');
const keyField = input(
  'text',
  'fingerprint',
  'Fingerprint of the gateway’s key, from a source that you trust',
);
const button = element('button', 'Verify');
const result = element('section');
result.setAttribute('aria-live', 'polite');
button.addEventListener('click', () => void show());

document
  .getElementById('panel')
  ?.append(
    element('h1', 'Proof of a sale'),
    element('p', 'This page loads nothing and sends nothing: the file stays on this machine.'),
    ...fileField.parts,
    ...keyField.parts,
    button,
    result,
  );

async function show(): Promise<void> {
  try {
    result.replaceChildren(...(await verified()));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    result.replaceChildren(verdict(`Not verified: ${text}`));
  }
}

/** @throws Error saying what is missing, or cannot be read */
async function verified(): Promise<readonly HTMLElement[]> {
  const file = fileField.field.files?.[0];
  if (!file) throw new Error('choose the file of the proof');
  const expected = keyField.field.value.replace(/[: -]/g, '').toUpperCase();
  if (!/^[0-9A-F]{32}$/.test(expected)) throw new Error('the fingerprint has 32 hex digits');
  const proof = readProof(await file.text());
  const isGatewayKey = async (key: Uint8Array) => (await fingerprint(key)) === expected;
  const found = await verifyProof(proof, { isGatewayKey }, BROWSER_CRYPTO);
  if (found.kind === 'refused') {
    const [text, action] = PROOF_FAULTS[found.fault];
    return [verdict(`Refused (${found.fault}): ${text}.`), element('p', `${action}.`)];
  }
  const { proven, notProven } = proofStatement(proof, found, expected);
  return [
    verdict('Verified.'),
    ...listed('Proven', proven),
    ...listed('Not proven', notProven),
    ...receiptOf(proof),
  ];
}

async function fingerprint(key: Uint8Array): Promise<string> {
  const digest = (await BROWSER_CRYPTO.sha256(key)).subarray(0, FINGERPRINT_BYTES);
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}

/** The receipt is printed from the rows; only the agent's program can print it again and compare. */
function receiptOf({ receipt }: SaleProof): readonly HTMLElement[] {
  if (!receipt) return [];
  return [
    element('h2', 'Receipt, not compared here'),
    element('p', '"tillbridge-agent verify-proof" compares it with the rows.'),
    element('pre', receipt.customer),
  ];
}

function listed(title: string, lines: readonly string[]): readonly HTMLElement[] {
  const list = element('ul');
  list.append(...lines.map((line) => element('li', line)));
  return [element('h2', title), list];
}

function verdict(text: string): HTMLElement {
  const paragraph = element('p', text);
  paragraph.className = 'verdict';
  return paragraph;
}

function input(type: string, id: string, text: string) {
  const label = element('label', text);
  label.htmlFor = id;
  const field = element('input');
  field.type = type;
  field.id = id;
  return { field, parts: [label, field] };
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
