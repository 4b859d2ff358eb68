/** Beckon's own mark: a raised hand, reduced to a dot that calls and two arcs that answer. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <circle cx="11" cy="21" r="3.4" fill="#fff" />
      <path
        d="M11 12.6a8.4 8.4 0 0 1 8.4 8.4M11 6.8A14.2 14.2 0 0 1 25.2 21"
        fill="none"
        stroke="#fff"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
