import { createRequire } from 'node:module';
import { fromHex, toHex, wipe } from '@tillbridge/wire/bytes.js';
import { aesDecryptCbc, ZERO_AES_BLOCK } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { tdesDecryptCbc, ZERO_BLOCK } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  advanceAesKsn,
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { AesDukptKeys, TdesDukptKeys } from '@tillbridge/wire/crypto/dukpt/dukpt-keys.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { CVN_PROFILES } from '@tillbridge/wire/crypto/emv/cvn-profiles.js';
import { IssuerEngine } from '@tillbridge/wire/crypto/emv/issuer-engine.js';
import { unwrapKeyBlock, wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { naiveAesDukpt, naiveArqcArpc, naiveTdesDukpt, naiveTr31D } from '../baselines/naive-crypto.js';
import type { Contest } from './contest.js';

/** Devices that take turns, each with consecutive KSNs. */
const DEVICES = 64;
const DATA = Buffer.alloc(48, 0xa5);
const BDK = fromHex('0123456789ABCDEFFEDCBA9876543210');

/** The peer: npm `dukpt`, TDES in pure JavaScript. */
interface DukptPeer {
  dukptDecrypt(data: string, options: Readonly<Record<string, string>>): string;
}

const Dukpt = createRequire(import.meta.url)('dukpt') as new (bdk: string, ksn: string) => DukptPeer;
const PEER_OPTIONS = { inputEncoding: 'hex', outputEncoding: 'hex', decryptionMode: '3DES' };

/** The KSNs of all devices in turn, endlessly, from the dense part of the counter's range (about 10 one-bits). */
function ksnSource(first: (device: number) => Buffer, advance: (ksn: Buffer) => Buffer): () => Buffer {
  const start = Array.from({ length: DEVICES }, (_, device) => first(device));
  const current = [...start];
  let turn = 0;
  let used = 0;
  return () => {
    const device = turn;
    turn = (turn + 1) % DEVICES;
    const ksn = current[device] ?? Buffer.alloc(0);
    used += 1;
    // Begin again long before the range thins out; the caches then have to walk the path anew, as after a restart.
    current[device] = used % (DEVICES * 20_000) < DEVICES ? (start[device] ?? ksn) : advance(ksn);
    return ksn;
  };
}

const tdesKsns = () =>
  ksnSource((device) => {
    const ksn = fromHex('FFFF9876540000F6D800');
    ksn[5] = device;
    return ksn;
  }, advanceKsn);

const aesKsns = () =>
  ksnSource((device) => {
    const ksn = fromHex('12345678901234560016DA00');
    ksn[6] = device;
    return ksn;
  }, advanceAesKsn);

function openTdes(transactionKey: Buffer, data: Buffer): Buffer {
  const key = workingKey(transactionKey, 'dataRequest');
  const clear = tdesDecryptCbc(key, ZERO_BLOCK, data);
  wipe(transactionKey, key);
  return clear;
}

function openAes(transactionKey: Buffer, ksn: Buffer, data: Buffer): Buffer {
  const key = aesWorkingKey(transactionKey, ksn, 'dataEncrypt', 'aes128');
  const clear = aesDecryptCbc(key, ZERO_AES_BLOCK, data);
  wipe(transactionKey, key);
  return clear;
}

function tdesDirect(ksn: Buffer): Buffer {
  const ik = deriveInitialKey(BDK, ksn);
  const clear = openTdes(deriveTransactionKey(ik, ksn), DATA);
  wipe(ik);
  return clear;
}

function aesDirect(ksn: Buffer): Buffer {
  const ik = deriveAesInitialKey(BDK, ksn);
  const clear = openAes(deriveAesTransactionKey(ik, ksn), ksn, DATA);
  wipe(ik);
  return clear;
}

/** Both sides of a contest must give the same, or the comparison is worth nothing. */
function requireSame(name: string, a: Buffer, b: Buffer): void {
  if (!a.equals(b)) throw new Error(`bench ${name}: the two sides give different results`);
}

function tdesContests(): Contest[] {
  const keys = new TdesDukptKeys();
  const cached = (ksn: Buffer) =>
    openTdes(
      keys.transactionKey(ksn, () => deriveInitialKey(BDK, ksn)),
      DATA,
    );
  const hexData = toHex(DATA);
  const peer = (ksn: Buffer) =>
    fromHex(new Dukpt(toHex(BDK), toHex(ksn)).dukptDecrypt(hexData, PEER_OPTIONS));
  const [a, b, c, d] = [tdesKsns(), tdesKsns(), tdesKsns(), tdesKsns()];
  const sample = a();
  requireSame('tdes', cached(sample), naiveTdesDukpt(BDK, sample, DATA));
  requireSame('tdes peer', cached(sample), peer(sample));
  requireSame('tdes direct', tdesDirect(sample), cached(sample));
  return [
    {
      name: 'TDES DUKPT, 48 bytes, against npm dukpt',
      goal: 2,
      ours: () => cached(a()),
      baseline: () => peer(b()),
    },
    {
      name: 'TDES DUKPT without cache, against naive node:crypto',
      goal: 1,
      ours: () => tdesDirect(c()),
      baseline: () => naiveTdesDukpt(BDK, d(), DATA),
    },
  ];
}

function aesContests(): Contest[] {
  const keys = new AesDukptKeys();
  const cached = (ksn: Buffer) =>
    openAes(
      keys.transactionKey(ksn, () => deriveAesInitialKey(BDK, ksn)),
      ksn,
      DATA,
    );
  const [a, b, c, d] = [aesKsns(), aesKsns(), aesKsns(), aesKsns()];
  const sample = a();
  requireSame('aes', cached(sample), naiveAesDukpt(BDK, sample, DATA));
  requireSame('aes direct', aesDirect(sample), cached(sample));
  return [
    {
      name: 'AES-128 DUKPT, 48 bytes, against naive node:crypto',
      goal: 3,
      ours: () => cached(a()),
      baseline: () => naiveAesDukpt(BDK, b(), DATA),
    },
    {
      name: 'AES-128 DUKPT without cache, against naive node:crypto',
      goal: 1,
      ours: () => aesDirect(c()),
      baseline: () => naiveAesDukpt(BDK, d(), DATA),
    },
  ];
}

function issuerContest(): Contest {
  const engine = new IssuerEngine(BDK);
  const [atc, arc] = [fromHex('001C'), Buffer.from('00')];
  const transaction = {
    profile: CVN_PROFILES.mastercardCvn20,
    pan: '4761739001010010',
    psn: '00',
    atc,
    un: fromHex('DEADBEEF'),
    acData: Buffer.alloc(43, 0x3c),
  };
  const ours = () => engine.answer(transaction, { arc });
  const naive = () => naiveArqcArpc(BDK, transaction.pan, transaction.psn, atc, transaction.acData, arc);
  const result = ours();
  requireSame('issuer', Buffer.concat([result.arqc, result.arpc]), naive());
  return { name: 'Master key to ARQC to ARPC, against naive node:crypto', goal: 2, ours, baseline: naive };
}

function keyBlockContest(): Contest {
  const kbpk = Buffer.alloc(16, 0x77);
  const header = {
    version: 'D',
    usage: 'B0',
    algorithm: 'A',
    mode: 'X',
    keyVersion: '00',
    exportability: 'N',
    optionalBlocks: [],
  } as const;
  const block = wrapKeyBlock(kbpk, header, BDK, { random: (length) => new Uint8Array(length) });
  const ours = () => unwrapKeyBlock(kbpk, block);
  const naive = () => naiveTr31D(kbpk, block);
  requireSame('key block', ours().key, naive());
  return { name: 'TR-31 D unwrap, against naive node:crypto', goal: 1, ours, baseline: naive };
}

/** The rates of payment cryptography, each with its baseline in the same run, single thread. */
export function cryptoContests(): Contest[] {
  return [...tdesContests(), ...aesContests(), issuerContest(), keyBlockContest()];
}
