// One term for each thing: words that ARCHITECTURE.md's glossary replaces do not come back.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './prepare.mjs';

/**
 * Replaced words as patterns, the term that stands instead, and where the pattern means something else, with the reason.
 * A pattern looks at whole words and at parts of camelCase names.
 */
export const REPLACED_WORDS = [
  { pattern: /\bdesks?\b|Desk(?![a-z])|\bdesk[A-Z]/, term: 'service' },
  { pattern: /Refusal extends Error/, term: '…Error with a code from the error table' },
  {
    pattern: /\bSaleBook\b|LedgerBook|\b(sale|ledger) ?book|\bthe books?\b/i,
    term: 'ledger, registry, store',
  },
  { pattern: /\blanes?\b|\bLANES?\b|Lanes?(?![a-z])/, term: 'queue, executor' },
  { pattern: /\bfates?\b|Fates?(?![a-z])/, term: 'delivery status' },
  { pattern: /keep[-_ ]?out\b|KeepOut|\bkept[- ]out\b|keptOut/, term: 'cancel-if-unseen' },
  {
    pattern: /settle[sd]? by hand|settling by hand|settled-by-hand|\}\/settlement\b/i,
    term: 'manual resolution',
  },
  { pattern: /high[- ]?water/i, term: 'monotonic time floor' },
  { pattern: /\bremarks?\b|Remarks(?![a-z])/i, term: 'AVS result, CVV result' },
  {
    pattern: /neighbour/i,
    term: 'replica (of a journal)',
    except: [{ pattern: /neighbouring letters swapped/, reason: 'an edit of a text' }],
  },
  { pattern: /\bLoss(es|View|Answer)?(?![a-z])|\bisLoss\b|unseenLoss/, term: 'late decline' },
  { pattern: /card[-_ ]?uses?\b|cardUse|CardUse/, term: 'ATC replay check' },
  {
    pattern: /\bdispatch(ed|es|ing)?\b|Dispatch(?![a-z])|dispatch[A-Z]/,
    term: 'routing, channel routing',
    except: [{ pattern: /\.dispatchEvent\(/, reason: 'a method of the DOM' }],
  },
  { pattern: /(?<![Mm]ag|\bmagnetic )[Ss]tripes?\b|\bstripe[A-Z]/, term: 'magstripe' },
  { pattern: /\bcard holders?\b|\bholderVerdict\b|verifyHolder/i, term: 'cardholder' },
  { pattern: /\btwins?\b|Twins?(?![a-z])/i, term: 'simulated terminal, simulated device' },
  { pattern: /TerminalFront|FrontRefusal|\bterminal front\b/, term: 'terminal UI' },
  { pattern: /TerminalBench|DeviceBench|buildBench|\btest bench\b/, term: 'simulated terminals' },
  { pattern: /calamit(y|ies)/i, term: 'fault schedule, fault' },
  { pattern: /sabotage/i, term: 'mutation' },
  { pattern: /\bmutants?\b/i, term: 'mutation' },
  { pattern: /\bweather\b|Weather(?![a-z])/, term: 'fault rates' },
  { pattern: /\bplatters?\b|Platter|\bspindles?\b|Spindle/, term: 'simulated disk, disk image' },
  { pattern: /witness/i, term: 'recorder' },
  { pattern: /skimmer/i, term: 'replayed cards' },
  { pattern: /\blost aloud\b|\baloud\b/i, term: 'late decline; an event or an alert' },
  { pattern: /\bfirst booking\b|\bbeside: (true|false)\b/, term: 'preceding reversal' },
  {
    pattern: /\b(the|every|each|a|this|these|other|no|which|what|of|five|own) rooms?\b(?! for| to| in)/i,
    term: 'package, module, folder',
  },
  {
    pattern: /\bundo(es|ing|ne)?\b|[uU]ndo[A-Z]|\bUndo(?!c)/,
    term: 'reversal',
    except: [
      { pattern: /icon="undo"|^\s*undo: 'M/, reason: 'the icon of an arrow' },
      {
        pattern: /undo each other|cannot be undone/,
        reason: 'keys of TDES; a question before a step without a way back',
      },
    ],
  },
  { pattern: /calls a person|a person is called|calls staff\b/i, term: 'raises an alert for staff' },
  {
    pattern:
      /isSaidToBe|LookedAt[A-Z]|[bB]esideSales|BesideStandIn|NothingOf[A-Z]|OWN_ALONE|OVERSEEN|TOLD_NOT_ASKED|mayStandUnheard|CardTold|'telling'/,
    term: 'the name of the thing: ChargebackClaimed, CardPreparation, advice-pending',
  },
  {
    pattern: /\b([Uu]n)?[Tt]old\b|\b(un)?told[A-Z]|[a-z]Told(?![a-z])/,
    term: 'reported, sent, shown, notified; unknown, not reported',
  },
  {
    pattern: /\b([Uu]n)?[Hh]eard\b|\b(un)?heard[A-Z]|[a-z]Heard(?![a-z])|\b[Hh]ears\b/,
    term: 'received, read; last contact',
  },
  { pattern: /\bnobody\b/i, term: 'no client, no person; unknown, unacknowledged, refused' },
  { pattern: /\bwhoever\b/i, term: 'the caller, client, node or process that' },
  {
    pattern: /\b(is|are|was|were|be|been|being|has|have|had|not|never) asked\b|\basked for\b/i,
    term: 'requested, queried, sent, called',
    except: [{ pattern: /\bperson (is|was) asked\b/, reason: 'a question to a person' }],
  },
];

/** Texts that are not ours to word, or that name the words on purpose. */
const EXCEPTIONS = [
  {
    path: /^(package-lock\.json|CHANGELOG\.md|LICENSE)$|^(protocol\/wire|gateway)\/generated\/|^test\/vectors\//,
    reason: 'not written by hand',
  },
  { path: /^test\/start\/words\.mjs$/, reason: 'the table itself' },
  {
    path: /^(protocol\/wire\/src\/payment\/result-codes\/result-code-table\.ts|gateway\/docs\/result-codes\.md)$/,
    reason: 'descriptions of the specification',
  },
];

const TEXTS = /\.(tsx?|mjs|js|css|md|proto|c)$/;

/** Where a replaced word stands, a line each. */
export function wordProblems() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => TEXTS.test(file) && existsSync(join(ROOT, file)))
    .filter((file) => !EXCEPTIONS.some(({ path }) => path.test(file)));
  return files.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return [
      ...problemsOf(file, file.replaceAll(/[-/.]/g, ' '), 0),
      ...lines.flatMap((line, at) => problemsOf(file, line, at + 1)),
    ];
  });
}

function problemsOf(file, text, line) {
  return REPLACED_WORDS.filter(
    ({ pattern, except }) => pattern.test(text) && !except?.some((each) => each.pattern.test(text)),
  ).map(({ pattern, term }) => `${file}:${line}: "${pattern.exec(text)?.[0]}"; the term is: ${term}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = wordProblems();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
