import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const themes: readonly Theme[] = ["auto", "light", "dark"];
const key = "tsop-theme";

export const theme = signal<Theme>(themes.find((each) => each === localStorage.getItem(key)) ?? "auto");

/** Shows the theme, and keeps it for the next visit. */
export function followTheme(): void {
  effect(() => {
    localStorage.setItem(key, theme.value);
    document.documentElement.dataset["theme"] = theme.value;
  });
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
}
