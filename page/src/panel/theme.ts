/* panel/theme.ts - dark or light: what the system wants until somebody chooses. */
export const THEMES = ['as the system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const light = matchMedia('(prefers-color-scheme: light)');

export function applyTheme(theme: Theme, paint: (name: 'dark' | 'light') => void): void {
  const name = theme === 'as the system' ? (light.matches ? 'light' : 'dark') : theme;
  document.documentElement.dataset['theme'] = name;
  paint(name);
}

export function onSystemTheme(act: () => void): void {
  light.addEventListener('change', act);
}
