#[cfg(unix)]
fn limit() -> usize {
    let found = probe();
    found.min(64)
}

#[cfg(windows)]
fn limit() -> usize {
    let found = probe();
    found.min(32)
}
