import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lineReadingOf } from '@tillbridge/hardware-sim/inspection/read-recording.js';
import type { SaleView } from '@tillbridge/hardware-sim/inspection/sale-log.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { AgentClient } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { ALL_TERMINALS, SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { ROOT } from '../stack/layout.js';
import { firstLoad } from './panel-load.js';
import { expectAccessible, openPanel, VIEWPORTS } from './panel-page.js';
import { measureHeap } from './simulator-heap.js';
import { SimulatorPanel } from './simulator-panel.js';
import { StorePanel } from './store-panel.js';

const START_MS = 240_000;
const STEP_MS = 180_000;
/** One terminal of each maker, and what its display shows at the end. */
const MAKERS = ['1001', '1003', '1004', '1005', '1006', '1007'] as const;
/** Most bytes of script and style sheet together, compressed. */
const MAX_GZIP_BYTES = 32 * 1024;
const PIN = '7531';
const DEBIT_PIN = '246813579024';
/** Frames that a recording has not written yet. */
const UNWRITTEN_FRAMES = 6;
/** `npm run panel-heap` lets 100,000 pass. */
const SHORT_RUN_EVENTS = 2_000;

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** A developer works with the panel of the simulator in a real browser; no card presents itself. */
describe.skipIf(typeof browser === 'string')(`the simulator panel${reason}`, () => {
  let system: TestStack;
  let agent: AgentClient;
  let panel: SimulatorPanel;
  let store: Page;

  beforeAll(async () => {
    system = await startTestStack('simulator-panel', undefined, 'on', {
      ...ALL_TERMINALS,
      auto: false,
      traces: true,
    });
    agent = new AgentClient(system.stack.dev.agent);
    await agent.untilGateway('up', SETTLE_MS);
    await agent.untilTerminalsReady(SETTLE_MS);
    panel = await SimulatorPanel.open(browser as Browser, system.stack.dev.simulator.url);
    ({ page: store } = await openPanel(browser as Browser, system.stack.dev.agent.url));
    await new StorePanel(store).signIn(system.stack.dev.agent.token);
  }, START_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await system?.end();
  }, SETTLE_MS);

  const begin = (reference: string, terminalId: string, amount = '12.34') =>
    agent.sale({ reference, amount, currency: 'EUR', terminalId });

  it(
    'sells on each of the six makers by clicks only, and both panels show the approvals',
    async () => {
      const running = MAKERS.map((id) => begin(`clicks-${id}`, id));
      await panel.takeCard('visa-credit-online');
      for (const id of MAKERS) {
        await panel.untilTerminal(id, 'Waits for a card');
        const ended = panel.untilDisplay(id, /APPROVED|REMOVE CARD/);
        await panel.click(id, 'Insert the card');
        await ended;
        await panel.takeOut(id);
      }
      for (const sale of running)
        expect((await sale).body).toMatchObject({ outcome: 'approved', mode: 'online' });
      for (const id of MAKERS) {
        await panel.look(id, 'Kernel');
        await panel.page.getByText('the host answered 00').first().waitFor();
        const row = store.locator(`.sale-row[data-reference="clicks-${id}"]`);
        await row.getByText('Approved', { exact: true }).waitFor();
        // One sale each, whatever the maker's protocol.
        expect(await sales(id), id).toMatchObject([
          {
            ...{ number: 1, amount: '12.34', currency: 'EUR' },
            cardholder: [{ act: 'present', card: 'visa-credit-online', how: 'insert' }, { act: 'remove' }],
            result: { application: 'VISA CREDIT', cryptograms: ['ARQC', 'TC'] },
          },
        ]);
      }
    },
    STEP_MS,
  );

  it(
    'taps and swipes cards, and has a terminal prompt again where two were tapped at once',
    async () => {
      const sales = [begin('two-cards', '1007', '3.00'), begin('swiped', '1006', '3.00')];
      await panel.takeCard('visa-contactless');
      await panel.untilTerminal('1007', 'Waits for a card');
      await panel.click('1007', 'Two cards');
      await (await panel.choose('1007')).getByText('last: tap: visa-contactless').waitFor();
      await panel.untilTerminal('1007', 'Waits for a card');
      await panel.click('1007', 'Tap the card');
      await panel.takeCard('magstripe-only');
      await panel.untilTerminal('1006', 'Waits for a card');
      await panel.click('1006', 'Swipe the card');
      expect((await Promise.all(sales)).map(({ body }) => [body.outcome, body.card?.entryMode])).toEqual([
        ['approved', 'NFC_ICC'],
        ['approved', 'MAGSTRIPE'],
      ]);
    },
    STEP_MS,
  );

  it(
    'shows the frames that the agent recorded at its end of the same line, masked',
    async () => {
      for (const id of MAKERS) {
        const path = join(system.home, 'agent', 'traces', `${id}.jsonl`);
        await panel.look(id, 'Wire');
        await panel.page.getByRole('button', { name: 'Unfold all' }).click();
        await panel.page.getByRole('tree', { name: `Wire of terminal ${id}` }).waitFor();
        await panel.page.locator('.row-frame').first().waitFor();
        const shown = await panel.frames();
        expect(shown.length, id).toBeGreaterThan(10);
        const texts = new Map<string, Set<string>>();
        for (const { hex, text } of lineReadingOf(decodeTrace(readFileSync(path, 'utf8'))))
          texts.set(hex, (texts.get(hex) ?? new Set()).add(text));
        // The recording writes the last pieces a moment later.
        const missing = shown.filter(({ hex }) => !texts.has(hex));
        expect(missing.length, `${id} ${missing[0]?.title}`).toBeLessThanOrEqual(UNWRITTEN_FRAMES);
        for (const { title, hex } of shown) {
          const shown = texts.get(hex);
          // A recording that lost digits of keys has wrong check values.
          if (shown && !shown.has('wrong CRC')) expect([...shown], id).toContain(title);
        }
        expect(await panel.page.content()).not.toContain('4200000000000000');
      }
    },
    STEP_MS,
  );

  it(
    'shows exchanges with names, decisions with reasons, keys with their counters',
    async () => {
      const { page } = panel;
      await panel.look('1003', 'Wire');
      await page.getByRole('button', { name: 'Unfold all' }).click();
      await panel
        .row(/SELECT 1PAY.SYS.DDF01/)
        .first()
        .click();
      await page.getByText('File Control Information (FCI) Template').waitFor();
      await page.getByRole('tab', { name: 'Kernel' }).click();
      await page.getByText('Offline data authentication was not performed').first().waitFor();
      await page.getByText('card and terminal share no method').first().waitFor();
      await page.getByRole('tab', { name: 'Keys' }).click();
      await page
        .getByText(/^KSN [0-9A-F]{20}$/)
        .first()
        .waitFor();
      await expectAccessible(page);
    },
    STEP_MS,
  );

  it(
    'shows terminals, slot and wire at once on a wide screen, and one of them on a phone',
    async () => {
      const { page } = panel;
      await panel.look('1004', 'Wire');
      await panel.row(/ Sale 1 /).waitFor();
      await page.setViewportSize(VIEWPORTS.tablet);
      for (const part of [
        panel.listed('1001'),
        panel.listed('1007'),
        page.getByRole('button', { name: 'Insert the card, 1004' }),
        page.getByRole('radiogroup', { name: 'Card in hand' }),
        page.getByRole('tree'),
      ])
        expect(await isInView(part), String(part)).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(VIEWPORTS.tablet.height);
      await page.setViewportSize(VIEWPORTS.phone);
      for (const [part, shown] of [
        ['Terminals', panel.listed('1001')],
        ['Terminal', page.getByRole('button', { name: 'Insert the card, 1004' })],
        ['Wire', page.getByRole('tree')],
      ] as const) {
        await page.getByRole('button', { name: part, exact: true }).click();
        await shown.waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), part).toBe(VIEWPORTS.phone.width);
        await expectAccessible(page);
        await page.setViewportSize(VIEWPORTS.phone);
      }
      await page.setViewportSize(VIEWPORTS.tablet);
    },
    STEP_MS,
  );

  it(
    'finds rows by text, direction and tag, and goes from a sale to the kernel and back',
    async () => {
      const { page } = panel;
      await panel.look('1004', 'Wire');
      await page.getByLabel('Tag, such as 9F26').fill('9f26');
      // Until the simulator has found the frames and exchanges, too.
      await panel.row(/GENERATE AC \(first\)/).waitFor();
      await panel.row(/cryptogram Kernel: TC/).waitFor();
      expect(await panel.row(/READ RECORD/).count()).toBe(0);
      await page.getByLabel('Tag, such as 9F26').fill('');
      await page.getByRole('combobox', { name: 'Direction' }).selectOption('Card');
      await panel
        .row(/READ RECORD/)
        .first()
        .waitFor();
      expect(await panel.row(/← terminal/).count()).toBe(0);
      await page.getByRole('combobox', { name: 'Direction' }).selectOption('All');
      await page.getByLabel('Text or hex').fill('fetch trx');
      await panel
        .row(/FETCH TRX TAGS/)
        .first()
        .waitFor();
      expect(await panel.row(/GENERATE AC/).count()).toBe(0);
      await page.getByLabel('Text or hex').fill('');

      await panel.row(/ Sale 1 /).click();
      const ways = page.getByRole('navigation', { name: 'Where this belongs' });
      await ways.getByRole('link', { name: /^APDU \d+ ↓/ }).click();
      await page.getByRole('button', { name: 'Copy command' }).waitFor();
      await ways.getByRole('link', { name: 'Sale 1' }).click();
      await ways.getByRole('link', { name: /^Kernel [\d.]+ ↓/ }).click();
      await panel.row(/selection Kernel: VISA CREDIT/).waitFor();
      await expectAccessible(page);
      await ways.getByRole('link', { name: /^APDU/ }).click();
      await ways.getByRole('link', { name: /^Frame/ }).click();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy bytes' }).click();
      await page.getByText(/^Copied: 02/).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect((await panel.frames()).map(({ hex }) => hex)).toContain(copied);
      await ways.getByRole('link', { name: 'Sale 1' }).click();
      await page.getByRole('link', { name: /bit by bit/ }).click();
      await page.getByText('the host answered 00').first().waitFor();
      await page.getByRole('link', { name: 'Sale 1 on the wire' }).click();
      await ways.getByText('Sale 1', { exact: true }).waitFor();
    },
    STEP_MS,
  );

  it(
    'opens the same place from a copied address, by keyboard alone, and states where it is gone',
    async () => {
      const { url } = system.stack.dev.simulator;
      const [sale] = await sales('1004');
      const address = `${url}/#terminal/1004/sale/${sale?.id}`;
      const other = await SimulatorPanel.open(browser as Browser, address);
      const { page } = other;
      const row = other.row(/ Sale 1 /);
      await page.getByRole('button', { name: 'Make a test of this' }).waitFor();
      expect(await row.getAttribute('aria-selected')).toBe('true');
      await row.focus();
      await page.keyboard.press('ArrowLeft');
      expect(await row.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Copy bytes' }).waitFor();
      const there = page.url();
      expect(there).toMatch(/\/sale\/[\d-]+\/frame\/\d+$/);
      await page.reload();
      await page.getByRole('button', { name: 'Copy bytes' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Make a test of this' }).waitFor();
      await page.goto(`${url}/#terminal/1004/sale/200101-000000-9`);
      await page.getByText(/no longer in the record/).waitFor();
      expect(other.faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );

  it(
    'makes a scenario of a sale, whose file runs again over REST with the same result',
    async () => {
      const { page } = panel;
      const { url } = system.stack.dev.simulator;
      const first = begin('test-made', '1003', '34.56');
      await panel.takeCard('mastercard-debit-pin');
      await panel.untilTerminal('1003', 'Waits for a card');
      await panel.click('1003', 'Insert the card');
      await panel.untilTerminal('1003', 'Waits for a PIN');
      await panel.enterPin('1003', DEBIT_PIN);
      await panel.untilDisplay('1003', /APPROVED|REMOVE CARD/);
      await panel.takeOut('1003');
      const { body } = await first;
      expect(body.outcome).toBe('approved');
      await panel.look('1003', 'Wire');
      await panel.row(/ 34\.56 EUR /).click();
      await page.getByLabel('Name of the test').fill('debit by PIN');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Make a test of this' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('debit by PIN.json');
      const file = readFileSync(await download.path(), 'utf8');
      expect(file).not.toContain(DEBIT_PIN);
      const scenario = `${url}/scenarios/debit%20by%20PIN`;
      await page.request.delete(scenario);
      const put = (data: string) =>
        page.request.put(scenario, { data, headers: { 'content-type': 'application/json' } });
      /** Runs the scenario and sells; the simulator does what the cardholder did. */
      const run = async (reference: string) => {
        expect((await page.request.post(`${scenario}/run`, { data: {} })).status()).toBe(200);
        return (await begin(reference, '1003', '34.56')).body;
      };
      expect((await put(file)).status()).toBe(200);
      const again = await run('test-again');
      expect(again).toMatchObject({ outcome: body.outcome, mode: body.mode, card: body.card });
      // The till has its answer before the host has ended the transaction at the terminal.
      await panel.row(/as “debit by PIN”/).click();
      await page.getByText('The same as “debit by PIN”').waitFor();
      expect((await sales('1003')).at(-1)?.scenario).toEqual({ name: 'debit by PIN', differences: [] });
      await expectAccessible(page);
      await put(file.replace('"TC"', '"AAC"'));
      await run('test-other');
      await panel
        .row(/as “debit by PIN”/)
        .nth(1)
        .click();
      await page.getByText('Other than “debit by PIN”').waitFor();
      expect((await sales('1003')).at(-1)?.scenario?.differences).toEqual([
        'cryptograms: ARQC, TC; the scenario has ARQC, AAC',
      ]);
      await page.getByRole('button', { name: 'Close the detail' }).click();
    },
    STEP_MS,
  );

  it(
    'runs a scenario of a sale on each of the six makers',
    async () => {
      const { url } = system.stack.dev.simulator;
      const post = async (path: string, data: object) =>
        expect((await panel.page.request.post(`${url}${path}`, { data })).status(), path).toBe(200);
      await Promise.all(
        MAKERS.map(async (id) => {
          const name = `again ${id}`;
          await post(`/terminals/${id}/sales/1/scenario`, { name });
          await post(`/scenarios/${name}/run`, {});
          expect((await begin(name.replace(' ', '-'), id)).body.outcome, id).toBe('approved');
          // The till has its answer before the host has ended the transaction at the terminal.
          const scenario = await until(`the end of ${name}`, SETTLE_MS, async () => {
            const last = (await sales(id)).at(-1)?.scenario;
            return last?.differences && last;
          });
          expect(scenario).toEqual({ name, differences: [] });
        }),
      );
    },
    STEP_MS,
  );

  it(
    'takes a PIN that is wrong three times; then the card has no try left',
    async () => {
      await panel.takeCard('maestro-offline-approved');
      const sale = begin('wrong-pin', '1003', '23.45');
      await panel.untilTerminal('1003', 'Waits for a card');
      await panel.click('1003', 'Insert the card');
      for (const wrong of ['1111', '2222', '3333']) {
        await panel.untilTerminal('1003', 'Waits for a PIN');
        await panel.enterPin('1003', wrong);
      }
      // The list goes on to the PIN that the issuer verifies.
      await panel.untilTerminal('1003', 'Waits for a PIN');
      await expectAccessible(panel.page);
      await panel.typePin('1003', PIN);
      await panel.page.locator('.hand-bad').getByText('0', { exact: true }).waitFor();
      await sale;
      await panel.takeOut('1003');
      await panel.look('1003', 'Kernel');
      await panel.page.getByText('the card has no PIN try left').first().waitFor();
      await panel.page.getByRole('button', { name: 'Renew PIN tries and blocks' }).click();
      await panel.page.locator('.hand-bad').waitFor({ state: 'detached' });
    },
    STEP_MS,
  );

  it(
    'pulls a card early, which a second browser sees as well',
    async () => {
      const second = await SimulatorPanel.open(browser as Browser, system.stack.dev.simulator.url);
      const sale = begin('early', '1004', '23.45');
      await panel.untilTerminal('1004', 'Waits for a card');
      await panel.takeCard('mastercard-debit-pin');
      await panel.click('1004', 'Insert the card');
      await second.untilTerminal('1004', 'Waits for a PIN');
      await (await second.choose('1004')).getByText('in the slot: mastercard-debit-pin').waitFor();
      await second.click('1004', 'Pull early');
      await (await panel.choose('1004')).getByText('last: insert: mastercard-debit-pin').waitFor();
      expect((await sale).body.outcome).not.toBe('approved');
      expect(second.faults).toEqual([]);
      await second.page.close();
    },
    STEP_MS,
  );

  it(
    'switches the network off and on',
    async () => {
      const { page } = panel;
      await page.getByRole('tab', { name: 'Network' }).click();
      await page.getByRole('radio', { name: 'Down', exact: true }).check();
      await page.getByText('Network down', { exact: true }).waitFor();
      await agent.untilGateway('down', SETTLE_MS);
      await page.getByRole('radio', { name: 'Slow', exact: true }).check();
      await page.getByText('Network slow, 1000 ms').waitFor();
      await page.getByLabel('Drop the answers of the gateway').check();
      await page.getByText('Answers are dropped', { exact: true }).waitFor();
      await page.getByLabel('Drop the answers of the gateway').uncheck();
      await page.getByRole('radio', { name: 'Up', exact: true }).check();
      await agent.untilGateway('up', SETTLE_MS);
    },
    STEP_MS,
  );

  it(
    'sets faults by sliders, keeps them as a scenario, and runs that by its seed',
    async () => {
      const { page } = panel;
      await panel.look('1001', 'Faults');
      await page.getByLabel('A frame is late (delay)').check();
      await page.getByRole('slider', { name: 'Rate' }).fill('40');
      await page.getByRole('slider', { name: 'Delay' }).fill('300');
      await page.getByLabel('Name of a scenario').fill('late frames');
      await page.getByLabel('Seed').fill('42');
      await page.getByRole('button', { name: 'Save as scenario' }).click();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Scenarios' }).click();
      await page.getByRole('button', { name: 'Run late frames' }).click();
      await page.getByText('Faults on 7 terminals').waitFor();
      const { faults } = await terminal('1001');
      expect(faults).toMatchObject([{ name: 'delay', ratePercent: 40, delayMs: 300, seed: 42 }]);
      const simulator = new SimulatorClient(system.stack.dev.simulator.url);
      for (const { id } of system.stack.dev.terminals) await simulator.heal(id);
      await page.getByText(/^Faults on/).waitFor({ state: 'detached' });
    },
    STEP_MS,
  );

  it(
    'records a sale, gives the command that replays it, and plays it in place of the terminal',
    async () => {
      const { page } = panel;
      await panel.look('1006', 'Wire');
      await page.getByRole('button', { name: 'Copy replay command' }).click();
      await page.getByText(/npx tillbridge-sim replay '.*1006-.*\.jsonl'/).waitFor();
      await page.getByRole('button', { name: 'Record', exact: true }).click();
      await panel.listed('1006').getByText('Recording', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop the recording' }).click();
      await page.getByRole('tab', { name: 'Recordings' }).click();
      const row = page.getByRole('list', { name: 'Recordings' }).getByRole('listitem').last();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        row.getByText('Download', { exact: true }).click(),
      ]);
      const path = await download.path();
      expect(decodeTrace(readFileSync(path, 'utf8')).header.deviceType).toBe('NEWLAND_P180');
      await page.locator('input[type="file"]').setInputFiles({
        name: 'field.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: readFileSync(path),
      });
      await page.getByText(/^field.jsonl is here as taken-/).waitFor();
      const text = JSON.stringify(readFileSync(path, 'utf8'));
      const dataTransfer = await page.evaluateHandle(`(() => {
        const dragged = new DataTransfer();
        dragged.items.add(new File([${text}], 'dropped.jsonl'));
        return dragged;
      })()`);
      await page.getByText('Drop recordings here').dispatchEvent('drop', { dataTransfer });
      await page.getByText(/^dropped.jsonl is here as taken-/).waitFor();
      await row.getByRole('button', { name: /^Look into/ }).click();
      await page.getByRole('dialog').getByText('host →').first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await row.getByRole('button', { name: /^Play / }).click();
      await page
        .getByText(/complete: |the host stopped|step \d+ of/)
        .first()
        .waitFor();
      await page.request.delete(`${system.stack.dev.simulator.url}/terminals/1006/replay`);
    },
    STEP_MS,
  );

  it(
    'prints the receipt that a till sends to its printer',
    async () => {
      const { url, token } = system.stack.dev.agent;
      const receipt = await fetch(`${url}/v1/sales/clicks-1001/receipt?format=escpos&language=de`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await fetch(`${system.stack.dev.simulator.url}/receipts`, {
        method: 'POST',
        body: await receipt.arrayBuffer(),
        headers: { 'content-type': 'application/octet-stream' },
      });
      await panel.page.getByRole('tab', { name: 'Receipts' }).click();
      const paper = panel.page.getByRole('region', { name: 'Printed receipts' });
      await paper.getByText(/12,34/).first().waitFor();
      expect(await paper.innerText()).not.toContain('?');
    },
    STEP_MS,
  );

  it(
    'folds the polls of a terminal that stands idle into one line, and finds terminals by maker',
    async () => {
      const { page } = panel;
      const region = page.getByRole('region', { name: 'Terminals' });
      await region.getByRole('combobox', { name: 'Maker' }).selectOption('Gertec');
      expect(await region.getByRole('link').count()).toBe(2);
      await panel.look('1002', 'Wire');
      const polls = panel.row(/ ([2-9]|\d\d) polls, GIX/).last();
      await polls.waitFor();
      expect(await polls.getAttribute('aria-expanded')).toBe('false');
      await polls.click();
      await panel
        .row(/host → Frame \d+: GIX/)
        .first()
        .waitFor();
      await region.getByRole('combobox', { name: 'Maker' }).selectOption('All makers');
    },
    STEP_MS,
  );

  it(
    'works by keyboard: a card number is keyed in without a mouse',
    async () => {
      const { page } = panel;
      const sale = begin('keys', '1005', '3.00');
      await panel.untilTerminal('1005', 'Waits for a card');
      await panel.listed('1005').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Key in, 1005' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox').fill('5454 5454 5454 5454');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      expect((await sale).body).toMatchObject({ outcome: 'approved', card: { entryMode: 'MANUAL' } });
    },
    STEP_MS,
  );

  it(
    'connects again when the simulator is killed and started under it, and shows the true state',
    async () => {
      await panel.look('1007', 'Wire');
      await system.stack.part('simulator')?.kill();
      await panel.page.getByText('No answer from the simulator').waitFor();
      await system.stack.restart('simulator');
      await panel.untilLinked();
      await agent.untilTerminalsReady(SETTLE_MS);
      const sale = begin('again', '1007');
      await panel.untilTerminal('1007', 'Waits for a card');
      await panel.takeCard('visa-credit-online');
      await panel.click('1007', 'Insert the card');
      await panel.untilDisplay('1007', /APPROVED|REMOVE CARD/);
      await panel.takeOut('1007');
      expect((await sale).body.outcome).toBe('approved');
      await panel.row(/^[▸▾\d:\s]*Sale 1 /).waitFor();
      expect(panel.faults).toEqual([]);
    },
    STEP_MS,
  );

  it(
    'loads fast',
    async () => {
      const load = await firstLoad(browser as Browser, system.stack.dev.simulator.url);
      const [painted, loaded] = [load.firstPaintMs, load.loadedMs].map((ms) => ms.toFixed(0));
      console.log(`simulator panel: first paint ${painted} ms, loaded ${loaded} ms (trace of Chromium)`);
      expect(load.firstPaintMs).toBeGreaterThan(0);
    },
    STEP_MS,
  );

  it(
    'keeps its memory flat while frames pass',
    async () => {
      const { beforeBytes, afterBytes } = await measureHeap(browser as Browser, SHORT_RUN_EVENTS);
      console.log(
        `simulator panel: heap ${beforeBytes} bytes, ${afterBytes} after ${SHORT_RUN_EVENTS} events`,
      );
      expect(afterBytes / beforeBytes).toBeLessThan(1.1);
    },
    STEP_MS,
  );

  async function sales(id: string): Promise<readonly SaleView[]> {
    const response = await fetch(`${system.stack.dev.simulator.url}/terminals/${id}/sales`);
    return (await response.json()) as SaleView[];
  }

  async function terminal(id: string): Promise<{ readonly faults: readonly object[] }> {
    const response = await fetch(`${system.stack.dev.simulator.url}/terminals/${id}`);
    return (await response.json()) as { faults: object[] };
  }
});

/** Whether all of an element is inside of what the window shows. */
function isInView(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { top, left, bottom, right } = (element as unknown as Placed).getBoundingClientRect();
    const { innerWidth, innerHeight } = globalThis as unknown as Record<string, number>;
    return top >= 0 && left >= 0 && bottom <= (innerHeight ?? 0) && right <= (innerWidth ?? 0);
  });
}

interface Placed {
  getBoundingClientRect(): {
    readonly top: number;
    readonly left: number;
    readonly bottom: number;
    readonly right: number;
  };
}

it('the panel is small', () => {
  const folder = join(ROOT, 'hardware-sim', 'dist', 'panel');
  const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
  const bytes = files.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
    0,
  );
  console.log(`simulator panel: ${bytes} bytes of script and style sheet, gzip`);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
