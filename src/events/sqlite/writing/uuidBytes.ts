/**
 * A UUID's 16 bytes.
 * @param uuid 36 characters, lower case
 */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24), 'hex');
}

/**
 * A UUID in its 36-character form.
 * @param hex 32 lower-case hexadecimal digits
 */
export function uuidOfHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
