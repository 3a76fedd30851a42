/**
 * What a spreadsheet takes for the beginning of a formula, behind marks that are there already: the signs, their wide forms, and the control
 * characters that some skip.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text as a cell of an export that no spreadsheet calculates: what would begin a formula has an apostrophe before it. Pure. */
export function harmlessCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that {@link harmlessCell} made a cell of. Pure. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
