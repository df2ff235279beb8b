/** A number with what it counts: `1 event`, `3 events`. @param many when it is not `one` with an s */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
