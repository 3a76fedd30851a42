/** Which colours are shown: those of the system, or always the same. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'tillbridge-theme';

/** The theme that was chosen in this browser. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // A browser may refuse its storage; the theme is then that of the system.
    return 'system';
  }
}

/** Shows the page in a theme. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

/** Shows the page in a theme and remembers it in this browser. */
export function applyTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}
