import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { LINK_WATCH_LIMITS, LinkWatch } from './link-watch.js';

/** Within this time a cut is noticed, milliseconds. */
const NOTICED_WITHIN_MS = 2_000;

describe('the watch of a link', () => {
  let clock: VirtualClock;
  let answers: (() => void)[];
  let silences: boolean[];
  let isCut: boolean;
  let watch: LinkWatch;

  beforeEach(() => {
    clock = new VirtualClock();
    answers = [];
    silences = [];
    isCut = false;
    watch = new LinkWatch({
      clock,
      ping: (answered) => {
        answers.push(answered);
        if (!isCut) answered();
        return true;
      },
      onSilent: (silent) => silences.push(silent),
    });
  });

  it('notices a cut within two seconds, and the first sign of life after it', async () => {
    watch.sessionUp();
    watch.watch();
    await clock.advance(10_000);
    expect(silences).toEqual([]);
    isCut = true;
    await clock.advance(NOTICED_WITHIN_MS);
    expect([silences, watch.silent]).toEqual([[true], true]);
    await clock.advance(10_000);
    expect(silences).toEqual([true]);
    watch.received();
    expect([silences, watch.silent]).toEqual([[true, false], false]);
    isCut = false;
    await clock.advance(10_000);
    expect(silences).toEqual([true, false]);
    expect(watch.silent).toBe(false);
  });

  it('sends nothing while no one watches, and while there is no session', async () => {
    watch.sessionUp();
    await clock.advance(10_000);
    expect(answers).toHaveLength(0);
    const [end, again] = [watch.watch(), watch.watch()];
    expect(answers).toHaveLength(1);
    end();
    end();
    await clock.advance(LINK_WATCH_LIMITS.pingEveryMs);
    expect(answers).toHaveLength(2);
    again();
    await clock.advance(10_000);
    expect(answers).toHaveLength(2);
    watch.watch();
    isCut = true;
    await clock.advance(NOTICED_WITHIN_MS);
    watch.sessionDown();
    expect(silences).toEqual([true, false]);
    const sent = answers.length;
    for (const late of answers) late();
    await clock.advance(10_000);
    expect([answers.length, silences]).toEqual([sent, [true, false]]);
  });

  it('is quiet where no ping can be sent', async () => {
    const none = new LinkWatch({ clock, ping: () => false, onSilent: (silent) => silences.push(silent) });
    none.sessionUp();
    none.watch();
    await clock.advance(10_000);
    expect(silences).toEqual([]);
  });
});
