import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeDisplay, encodeKeySlot } from '@tillbridge/wire/terminals/newland/commands.js';
import { ACK, NAK } from '@tillbridge/wire/terminals/newland/frame.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { isFailed } from '../core/result.js';
import { command, level3, NewlandLink, type Reply } from './link.js';
import { answer, fn, fromFunction, ScriptedPad } from './scripted-pad.test.support.js';

const SILENT = () => [];
const ksn = (slot: number) => command('keySerialNumber', encodeKeySlot(slot));
const bodyOf = (reply: Reply): string | undefined =>
  isFailed(reply) ? reply.failure : reply.toString('latin1');

let clock: VirtualClock;
let host: BytePipe;
let link: NewlandLink;
let pad: ScriptedPad;

beforeEach(() => {
  clock = new VirtualClock(0);
  const [end, device] = memoryPipe();
  host = end;
  link = new NewlandLink(host, clock);
  pad = new ScriptedPad(device, SILENT);
});

describe('the link to a Newland pad', () => {
  test('takes the answer behind confirmations and refusals, and confirms it', async () => {
    pad.script = () => [Buffer.of(NAK, ACK), answer('90', 'P180')];
    expect(bodyOf(await link.execute(command('status')))).toBe('P180');
    await settle();
    expect(pad.confirmed).toBe(1);
  });

  test('a bare confirmation ends what only shows something', async () => {
    pad.script = () => [Buffer.of(ACK)];
    expect(bodyOf(await link.execute(command('display', encodeDisplay(['A']))))).toBe('');
    await settle();
    expect(pad.confirmed).toBe(0);
  });

  test('an answer that comes twice is not taken for the next of its type', async () => {
    pad.script = ({ key, body }) => {
      if (key !== '34') return [answer(key, 'P180')];
      const frame = answer('34', `00slot ${body[0]}`);
      return [frame, frame];
    };
    expect(bodyOf(await link.execute(ksn(1)))).toBe('00slot 1');
    expect(bodyOf(await link.execute(ksn(2)))).toBe('00slot 2');
    expect(pad.requests.map(({ key }) => key)).toEqual(['34', '90', '34']);
    expect(bodyOf(await link.execute(command('status')))).toBe('P180');
    expect(bodyOf(await link.execute(command('status')))).toBe('P180');
    expect(pad.requests.map(({ key }) => key)).toEqual(['34', '90', '34', '90', '34', '90']);
  });

  test('an answer that comes after its time is not taken for another', async () => {
    const late = link.execute(ksn(1));
    await clock.advance(5_000);
    expect(await late).toMatchObject({ failure: 'terminal-silent' });
    const next = link.execute(level3('terminate'));
    await pad.say(answer('34', '00late'), fromFunction('terminate', '00'));
    expect(bodyOf(await next)).toBe('00');
  });

  test('damage ends what waits at once', async () => {
    const bent = answer('90', 'P180');
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    pad.script = () => [bent];
    expect(await link.execute(command('status'))).toMatchObject({ failure: 'protocol-error' });
    pad.script = () => [answer('34', '00key')];
    expect(bodyOf(await link.execute(ksn(1)))).toBe('00key');
  });

  test('runs one command at a time; CANCEL PIN goes out during it', async () => {
    const running = link.execute(level3('perform'), 60_000);
    expect(await link.execute(command('status'))).toMatchObject({ failure: 'terminal-busy' });
    pad.script = ({ key }) => (key === '38' ? [answer('38', '00'), fromFunction('perform', '00end')] : []);
    expect(bodyOf(await link.overtake(command('cancelPin')))).toBe('00');
    expect(bodyOf(await running)).toBe('00end');
  });

  test('a pad that does not answer a command during a transaction may still end the transaction', async () => {
    const running = link.execute(level3('perform'), 60_000);
    const cancel = link.overtake(command('cancelPin'));
    await clock.advance(5_000);
    expect(await cancel).toMatchObject({ failure: 'terminal-silent' });
    await pad.say(fromFunction('perform', '00end'));
    expect(bodyOf(await running)).toBe('00end');
  });

  test('gives callbacks on, confirms none of them, and leaves debug output be', async () => {
    const callbacks: string[] = [];
    link.onCallback = (data) => callbacks.push(data.toString('latin1'));
    pad.script = ({ key }) =>
      key === fn('perform')
        ? [
            fromFunction('callback', 'question'),
            fromFunction('debugOutput', '00\u0000\u0001x'),
            fromFunction('perform', '00'),
          ]
        : [];
    await link.execute(level3('perform'), 60_000);
    await settle();
    expect(callbacks).toEqual(['question']);
    expect(pad.confirmed).toBe(1);
  });

  test('waits longer where the pad works, but not for ever', async () => {
    const running = link.execute(level3('perform'), 5_000, 12_000);
    for (let second = 0; second < 11; second += 1) {
      await clock.advance(1_000);
      link.continueFor(5_000);
    }
    let ended = false;
    void running.then(() => {
      ended = true;
    });
    await settle();
    expect(ended).toBe(false);
    await clock.advance(1_000);
    expect(await running).toMatchObject({ failure: 'terminal-silent' });
  });

  test('a port that closes ends everything', async () => {
    const running = link.execute(command('status'));
    await host.close();
    expect(await running).toMatchObject({ failure: 'terminal-gone' });
    expect(await link.execute(command('status'))).toMatchObject({ failure: 'terminal-gone' });
  });

  test('refuses what no frame carries before anything is sent', async () => {
    const reply = await link.execute(level3('setTlvList', Buffer.alloc(6_000)));
    expect(reply).toMatchObject({ failure: 'data-too-long' });
    expect(pad.requests).toEqual([]);
  });
});
