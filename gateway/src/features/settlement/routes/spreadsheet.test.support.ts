import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, Model } from '@ironcalc/wasm';

/** A cell as a spreadsheet has it once a person has opened a file. */
interface SheetCell {
  /** What was calculated; undefined: the cell is no formula. */
  readonly formula: string | undefined;
  /** What the person sees. */
  readonly shown: string;
}

/** The cells of rows that are typed into IronCalc, which calculates what begins like a formula, as others do. */
export function openInSpreadsheet(rows: readonly (readonly string[])[]): readonly SheetCell[] {
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@ironcalc/wasm/wasm_bg.wasm'))) });
  const model = new Model('file', 'en', 'UTC', 'en');
  const places = rows.flatMap((row, at) => row.map((text, column) => [text, at + 1, column + 1] as const));
  for (const [text, row, column] of places) model.setUserInput(0, row, column, text);
  model.evaluate();
  return places.map(([, row, column]) => {
    const content = model.getCellContent(0, row, column);
    const isFormula = content.startsWith('=');
    return { formula: isFormula ? content : undefined, shown: model.getFormattedCellValue(0, row, column) };
  });
}
