/** What the link in a mail says: which destination it proves, and the code. */
export interface Proof {
  id: string;
  code: string;
}

/** Reads the fragment of such a link; `null` if it is none, or only part of one. */
export function toProof(hash: string): Proof | null {
  const [, id, code] = /^#(dst_[\w-]{1,100})\.(\d{4,20})$/.exec(hash) ?? [];
  return id === undefined || code === undefined ? null : { id, code };
}
