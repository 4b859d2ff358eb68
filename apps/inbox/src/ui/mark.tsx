/** Beckon's logo. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <circle cx="22.6" cy="9.4" r="3.6" fill="#fff" />
      <path d="M15.2 7.6A8.8 8.8 0 1 0 24.4 16.8" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
