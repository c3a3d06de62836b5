/** Settings that are read by everyone and changed in one place only. */
export interface Settings {
    theme: "light" | "dark";
    volume: number;
    recent: readonly string[];
}

export const DEFAULTS = { theme: "light", volume: 5, recent: [] } satisfies Settings;
