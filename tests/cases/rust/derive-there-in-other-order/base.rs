#[derive(Debug, Clone)]
pub enum Mode {
    Fast,
    Safe,
}
