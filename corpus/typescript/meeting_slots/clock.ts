/** Minutes since midnight. */
export type Minutes = number;

export function read(text: string): Minutes {
    const [hours, minutes] = text.split(":").map(Number) as [number, number];
    return hours * 60 + minutes;
}

export const write = (minutes: Minutes): string =>
    `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
