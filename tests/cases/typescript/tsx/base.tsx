export const Row = ({ label }: { label: string }) => {
  const value = useValue<string>(label);
  return <td title={label}>{value}</td>;
};
