/** What single settings may be. The hook command loads this module on every call, so it imports nothing. */

/** What is expected of them, for messages. */
export const EXPECTED = {
  host: 'a host name or an IP address, without port',
  port: 'a whole number from 0 to 65535',
  secret: 'a text without spaces',
} as const;

/** A host name or an IP address, without a port. */
export function isHostName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,253}$|^[0-9a-f:.]{2,45}$/i.test(value);
}

/** A host name, an IP address, or a range of addresses. */
export function isHostOrRange(value: unknown): value is string {
  return typeof value === 'string' && isHostName(value.replace(/(?<=[0-9a-f.:])\/\d{1,3}$/i, ''));
}

/** A port; 0 is any that is free. */
export function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}

/** A port as people type it. What is not a number stays a text, for the message about it. */
export function toTypedPort(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** A token or another secret. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^\S+$/.test(value);
}
